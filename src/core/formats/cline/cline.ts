import { arrayAt, isArray, isObject, member, numberAt, parseJson, stringAt } from '../../base/json';
import type { Locate } from '../../content/place';
import type { DocumentFormat, SiblingFiles, SourceRecord } from '../../reading/format';
import { readShownTask } from './clineShown';
import { ClineReader, type TaskFiles } from './clineTask';

const historyFile = 'api_conversation_history.json';
const interfaceFile = 'ui_messages.json';

/**
 * Cline and Roo Code: `api_conversation_history.json` with `ui_messages.json` next to it (either one can be opened),
 * and the session files of the Cline CLI, `{version, messages, system_prompt, …}`.
 */
export const cline: DocumentFormat = {
  kind: 'document',
  id: 'cline',
  name: 'Cline or Roo Code task',
  matches: document =>
    isHistory(document) || isInterface(document) || isSession(document) || isTask(document),
  gather,
  read(record, locate, builder) {
    const root = { record: record.range, locate: locateIn(record.value, locate), path: [] };
    if (isArray(record.value) && !isHistory(record.value)) {
      readShownTask(record.value, root, builder);
    } else {
      new ClineReader(builder, root).read(filesOf(record));
    }
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
  return isArray(document) && document.length > 0 && document.slice(0, 60).every(isInterfaceEntry);
}

function isInterfaceEntry(entry: unknown): boolean {
  const type = stringAt(entry, 'type');
  return numberAt(entry, 'ts') !== undefined && (type === 'say' || type === 'ask');
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

/** The result of `gather` for the two files of a task. */
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
    const task: Task = { opened: 'history', history: document, interface: found };
    return isInterface(found) ? task : document;
  }
  if (isInterface(document)) {
    const found = await readJson(siblings, historyFile);
    const task: Task = { opened: 'interface', history: found, interface: document };
    return isHistory(found) ? task : document;
  }
  return document;
}

async function readJson(siblings: SiblingFiles, path: string): Promise<unknown> {
  return parseJson(new TextDecoder().decode(await siblings.read(path)));
}

/** Locates parts of the opened file. Parts of the task's other file get the place of the whole file. */
function locateIn(document: unknown, locate: Locate): Locate {
  const opened = isTask(document) ? stringAt(document, 'opened') : undefined;
  return opened === undefined ? locate : path => (path[0] === opened ? locate(path.slice(1)) : locate([]));
}

function filesOf({ value }: SourceRecord): TaskFiles {
  const none = { messages: [], path: [], entries: [], entriesPath: [] };
  if (isTask(value)) {
    return {
      messages: arrayAt(value, 'history'),
      path: ['history'],
      entries: arrayAt(value, 'interface'),
      entriesPath: ['interface'],
    };
  }
  if (isArray(value)) {
    return { ...none, messages: value };
  }
  return {
    ...none,
    messages: arrayAt(value, 'messages'),
    path: ['messages'],
    session: member(value, 'version') === 1 ? value : undefined,
  };
}
