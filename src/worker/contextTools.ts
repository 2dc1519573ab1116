import { cutText } from '../core/base/visibleText';
import { defined } from '../core/base/defined';
import { type AnswerLine, type ContextTool, lineText, ToolError } from '../core/contextTools/contextTool';
import { contextTools } from '../core/contextTools/contextTools';
import { parseJson } from '../core/base/json';
import { learnFound } from '../core/export/redactSession';
import { addedFoldersFrom, allFoldersArgument, foldersVariable } from '../core/finder/addedFolders';
import { sessionIdOf } from '../core/finder/sessionId';
import { Gate } from '../core/sensitivity/gate';
import type { SecretScanner } from '../core/sensitivity/scanner';
import type { TranscriptSession } from '../core/session/transcriptSession';
import { chosenConversation, storedIn } from '../node/mcp/chosenConversation';
import { describeAnyError } from '../node/files/fileErrors';
import { serveContextTools } from '../node/mcp/server';
import { thisMachine } from '../node/thisMachine';
import { answerOf, pageOf, SessionTools, type ToolAnswer as Answer } from '../node/mcp/toolAnswers';
import type { ReadingParams } from '../protocol/sessionReading';
import type { ToolAnswer } from '../protocol/toolAnswer';
import type { WorkerParams } from '../protocol/workerQuestions';

/** Lines of an answer that people get, and the length of each in UTF-16 units. */
const mostLines = 40;
const longestLine = 400;

const sessions = new SessionTools();

/** The answer about the session of the workspace, or about the one that the parameters name. */
export async function answerAboutSessions({
  name,
  params,
  folders,
  started,
  added,
  allFolders,
  ...settings
}: ReadingParams<'contextTool'>): Promise<ToolAnswer> {
  const caller = {
    folders,
    added: () => added,
    allFolders,
    started,
    client: '',
    ids: { sessions: [], calls: [], startedBy: [] },
  };
  return described(await sessions.answer(toolNamed(name), params, caller, settings), params);
}

/**
 * Serves the tools over the Model Context Protocol. The arguments are the folders of the workspace, after `allFoldersArgument`
 * if the user allowed questions about the sessions of all folders.
 */
export function serveSessions(): void {
  const machine = thisMachine();
  const added = addedFoldersFrom(parseJson(machine.environment[foldersVariable] ?? ''), machine).folders;
  const given = process.argv.slice(2);
  const folders = given.filter(argument => argument !== allFoldersArgument);
  const allFolders = folders.length < given.length;
  serveContextTools({ folders, added: () => added, allFolders }).catch((error: unknown) => {
    process.stderr.write(`${describeAnyError(error)}\n`);
    process.exitCode = 1;
  });
}

/** The answer about an open session. */
export async function answerAboutOpen(
  session: TranscriptSession,
  scanner: SecretScanner,
  { name, params, folders, started, path }: WorkerParams<'contextTool'>,
): Promise<ToolAnswer> {
  const gate = new Gate(scanner);
  await learnFound(session, gate);
  const answer = await answerOf(toolNamed(name), params, {
    open: wanted =>
      Promise.resolve().then(() => {
        const stored = storedIn(path, session.transcript);
        const { conversation, id = sessionIdOf(path) } = chosenConversation(stored, wanted, {
          folders,
          started,
        });
        return { id, session, gate, conversation };
      }),
    find: () => Promise.reject(new ToolError('Only all sessions can be searched.')),
    now: Date.now,
  });
  return described(answer, params);
}

function toolNamed(name: string): ContextTool {
  const tool = contextTools.find(each => each.name === name);
  if (tool === undefined) {
    throw new Error(`There is no tool ${name}.`);
  }
  return tool;
}

async function described(answer: Answer, params: unknown): Promise<ToolAnswer> {
  const { lines, isError, session } = answer;
  return {
    text: await pageOf(answer, params),
    isError,
    lines: lines.slice(0, mostLines).map(shown),
    more: Math.max(0, lines.length - mostLines),
    ...defined({ path: session?.path }),
  };
}

function shown(line: AnswerLine): ToolAnswer['lines'][number] {
  const text = cutText(lineText(line), longestLine);
  return typeof line === 'string' || line.place === undefined
    ? { text }
    : { text, place: defined(line.place) };
}
