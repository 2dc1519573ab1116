import { arrayAt, isArray, member, objectAt, stringAt } from '../../base/json';
import type { Locate } from '../../content/place';
import type { TranscriptBuilder } from '../../content/transcriptBuilder';
import type { DocumentFormat, SourceRecord } from '../../reading/format';
import { addSubagent } from '../common/notes';
import { addStored, type StoredSession } from '../common/storedSessions';
import { gatherOpencodeFiles, isOpencodeFile } from './opencodeFiles';
import { readSession } from './opencodeSession';

/**
 * opencode's sessions: the output of `opencode export`, all sessions of its database (`{sessions: […]}`, each like an
 * export), or a file of its older storage. For such a file, the other files of its session are read too.
 */
export const opencode: DocumentFormat = {
  kind: 'document',
  id: 'opencode',
  name: 'opencode',
  matches: document => isExport(document) || isStore(document) || isOpencodeFile(document),
  gather: (document, siblings) =>
    isOpencodeFile(document) ? gatherOpencodeFiles(document, siblings) : Promise.resolve(document),
  read: (record, locate, builder) => {
    builder.agentName = 'opencode';
    readSessions(record, locate, builder);
  },
};

function isExport(document: unknown): boolean {
  const messages = member(document, 'messages');
  return (
    stringAt(objectAt(document, 'info'), 'id') !== undefined &&
    isArray(messages) &&
    messages
      .slice(0, 60)
      .every(message => objectAt(message, 'info') !== undefined && isArray(member(message, 'parts')))
  );
}

function isStore(document: unknown): boolean {
  const sessions = member(document, 'sessions');
  return isArray(sessions) && sessions.length > 0 && sessions.every(isExport);
}

/** Titles that opencode uses until a model writes one. */
const placeholderTitle = /^(New session|Child session) - /;

function readSessions(record: SourceRecord, locate: Locate, builder: TranscriptBuilder): void {
  const { value } = record;
  if (isOpencodeFile(value)) {
    builder.addProblem('missingRequestContent', record.range.line);
    builder.leaveOut('a file of a session whose other files are not at hand', record.range);
    return;
  }
  const sessions = isStore(value)
    ? arrayAt(value, 'sessions').map((session, index) => ({ session, path: ['sessions', index] }))
    : [{ session: value, path: [] }];
  const ids = sessions.map(({ session }) => stringAt(objectAt(session, 'info'), 'id') ?? '');
  const threads = new Map(ids.map((id, thread) => [id, thread]));
  const stored: StoredSession[] = [];
  sessions.forEach(({ session, path }, thread) => {
    const info = objectAt(session, 'info');
    const prompt = readSession(session, { record: record.range, path, locate, thread, threads }, builder);
    const given = stringAt(info, 'title');
    const title = given === undefined || placeholderTitle.test(given) ? (prompt ?? given) : given;
    builder.addVersion(stringAt(info, 'version'));
    if (thread === 0) {
      builder.title = title;
      builder.sessionId = stringAt(info, 'id');
      builder.workingDirectory = stringAt(info, 'directory');
    }
    if (isArray(member(session, 'todos'))) {
      builder.leaveOut('list of tasks for the interface', locate([...path, 'todos']));
    }
    const id = ids[thread] ?? '';
    const recordedParent = stringAt(info, 'parentID');
    const parent = threads.has(recordedParent ?? '') ? recordedParent : undefined;
    stored.push({ id, title: title ?? id, workingDirectory: stringAt(info, 'directory'), parent });
    if (parent !== undefined) {
      addChild(info, thread, builder);
    }
  });
  addStored(builder, stored);
}

/** Adds a child session of the same document. The call that started it may have described it already. */
function addChild(info: unknown, thread: number, builder: TranscriptBuilder): void {
  const id = stringAt(info, 'id') ?? '';
  const description = builder.subagents.get(id)?.description ?? stringAt(info, 'title');
  addSubagent(builder, { id, thread, description });
}
