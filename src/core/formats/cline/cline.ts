import type { Locate } from '../../content/place';
import { arrayAt, isArray, isObject, member, numberAt, objectAt, stringAt } from '../../base/json';
import type { DocumentFormat, SiblingFiles, SourceRecord } from '../../reading/format';
import { ClineReader, type TaskFiles } from './clineTask';

const historyFile = 'api_conversation_history.json';
const interfaceFile = 'ui_messages.json';

/**
 * Cline and Roo Code: `api_conversation_history.json` with `ui_messages.json` beside it, either of them opened, and the
 * session files of the Cline CLI, `{version, messages, system_prompt, …}`.
 */
export const cline: DocumentFormat = {
  kind: 'document',
  id: 'cline',
  name: 'Cline or Roo Code task',
  matches: document =>
    isHistory(document) || isInterface(document) || isSession(document) || isTask(document),
  gather,
  read(record, locate, builder) {
    new ClineReader(builder, record, locateIn(record.value, locate)).read(filesOf(record));
    return builder.build(cline.id);
  },
};

function isHistory(document: unknown): boolean {
  return isArray(document) && document.length > 0 && document.slice(0, 60).every(isHistoryMessage);
}

function isHistoryMessage(message: unknown): boolean {
  const role = stringAt(message, 'role');
  const isReasoning = stringAt(message, 'type') === 'reasoning';
  return (
    numberAt(message, 'ts') !== undefined &&
    (isReasoning || ((role === 'user' || role === 'assistant') && isObject(message) && 'content' in message))
  );
}

function isInterface(document: unknown): boolean {
  return (
    isArray(document) &&
    document.length > 0 &&
    document
      .slice(0, 60)
      .every(
        entry =>
          numberAt(entry, 'ts') !== undefined &&
          (stringAt(entry, 'type') === 'say' || stringAt(entry, 'type') === 'ask'),
      )
  );
}

/** A session of the CLI, or Roo's newest history. */
function isSession(document: unknown): boolean {
  const messages = member(document, 'messages');
  const version = member(document, 'version');
  return (
    isArray(messages) &&
    messages.slice(0, 60).every(isHistoryMessage) &&
    (version === 2 || (version === 1 && stringAt(document, 'sessionId') !== undefined))
  );
}

/** What `gather` makes of the two files of a task. */
interface Task {
  readonly opened: 'history' | 'interface';
  readonly history: unknown;
  readonly interface: unknown;
}

function isTask(document: unknown): boolean {
  return stringAt(document, 'opened') !== undefined && isHistory(member(document, 'history'));
}

async function gather(document: unknown, siblings: SiblingFiles): Promise<unknown> {
  if (isHistory(document)) {
    const found = await readJson(siblings, interfaceFile);
    return isInterface(found)
      ? ({ opened: 'history', history: document, interface: found } satisfies Task)
      : document;
  }
  if (isInterface(document)) {
    const found = await readJson(siblings, historyFile);
    return isHistory(found)
      ? ({ opened: 'interface', history: found, interface: document } satisfies Task)
      : document;
  }
  return document;
}

async function readJson(siblings: SiblingFiles, path: string): Promise<unknown> {
  const bytes = await siblings.read(path);
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(bytes));
    return value;
  } catch {
    return undefined;
  }
}

/** Places in the file that was opened; the other file of a task has none in it. */
function locateIn(document: unknown, locate: Locate): Locate {
  const opened = isTask(document) ? stringAt(document, 'opened') : undefined;
  return opened === undefined ? locate : path => (path[0] === opened ? locate(path.slice(1)) : locate([]));
}

function filesOf({ value }: SourceRecord): TaskFiles {
  if (isTask(value)) {
    return {
      messages: arrayAt(value, 'history'),
      path: ['history'],
      entries: arrayAt(value, 'interface'),
      entriesPath: ['interface'],
    };
  }
  if (isHistory(value)) {
    return { messages: isArray(value) ? value : [], path: [], entries: [], entriesPath: [] };
  }
  if (isInterface(value)) {
    return { messages: [], path: [], entries: isArray(value) ? value : [], entriesPath: [] };
  }
  return {
    messages: arrayAt(value, 'messages'),
    path: ['messages'],
    entries: [],
    entriesPath: [],
    session: member(value, 'version') === 1 ? objectAt({ value }, 'value') : undefined,
  };
}
