import { stat } from 'node:fs/promises';
import { answerPage } from '../../core/contextTools/answerPages';
import type { ContextPicture } from '../../core/contextTools/contextPicture';
import {
  type AnswerLine,
  type ContextTool,
  lineText,
  type OpenedSession,
  ToolError,
  type ToolSources,
} from '../../core/contextTools/contextTool';
import { markedLine, recorded, withNote, withoutMarks } from '../../core/contextTools/recordedText';
import { numberAt } from '../../core/base/json';
import { learnFound } from '../../core/export/redactSession';
import { parseWords } from '../../core/index/wordQuery';
import type { UnpackLimits } from '../../core/reading/decoders/unpacking';
import { Gate } from '../../core/sensitivity/gate';
import { loadTokenizer } from '../../core/tokens/bytePairTokenizer';
import type { UserModels } from '../../core/tokens/userModels';
import { openFile } from '../files/fileByteSource';
import { describeAnyError, describeFileError, isSystemError } from '../files/fileErrors';
import { IndexUnusable, withAllSessions } from '../index/allSessions';
import { stateOf } from '../index/fileState';
import { filesByKey, searchIndex } from '../index/searchIndex';
import { searchLines } from '../index/searchLines';
import { safeText } from '../secrets/safeText';
import { secretScanner } from '../secrets/secretScannerOnDemand';
import { openOnDisk } from '../sessions/openOnDisk';
import { type Caller, type FoundSession, ownSessions, sessionNamed, sessionOfCaller } from './callersSession';
import { chosenConversation, storedIn } from './chosenConversation';
import { folderRule, howToAllow } from './folderRule';

/** How long a search may take before the caller is asked to come back, in milliseconds. Clients wait for a minute. */
const longestSearch = 40_000;

/** An answer as it may leave the program: without secrets and control characters. */
export interface ToolAnswer {
  readonly lines: readonly AnswerLine[];
  /** True for an error that the caller can correct. It is one sentence. */
  readonly isError: boolean;
  /** The session that was asked about; undefined if none was opened. */
  readonly session: OpenedSession | undefined;
  /** A picture of the answer, if it was wanted and the tool has one. */
  readonly picture?: ContextPicture | undefined;
}

/** Asks a tool and redacts its answer. */
export async function answerOf(
  tool: ContextTool,
  params: unknown,
  sources: ToolSources,
  wantsPicture = false,
): Promise<ToolAnswer> {
  let session: OpenedSession | undefined;
  // The answer and its picture are about one session.
  const open: ToolSources['open'] = async id =>
    (session ??= await sources.open(id === undefined ? undefined : withoutMarks(id)));
  const asked = { ...sources, open };
  try {
    const lines = await tool.answer(params, asked);
    const picture = wantsPicture ? await tool.picture?.(params, asked) : undefined;
    const texts = (await safeText(lines.map(lineText).join('\n'), session?.gate)).split('\n');
    // A secret of several lines becomes one line. Then it is not known what the lines are.
    const isKept = texts.length === lines.length;
    return {
      lines: texts.map((redacted, index) => {
        const line = isKept ? lines[index] : { text: redacted, isRecorded: true };
        const { place, isRecorded = false }: Partial<Exclude<AnswerLine, string>> =
          typeof line === 'object' ? line : {};
        const text = markedLine(redacted, isRecorded);
        return place === undefined ? text : { text, place };
      }),
      isError: false,
      session,
      picture: picture && (await safePicture(picture, session?.gate)),
    };
  } catch (error) {
    if (error instanceof ToolError || error instanceof IndexUnusable || isSystemError(error)) {
      return { lines: [await safeText(describeAnyError(error))], isError: true, session };
    }
    throw error;
  }
}

/** The picture with safe texts. They are redacted together, as in an answer. */
async function safePicture(
  { heading, parts }: ContextPicture,
  gate: Gate | undefined,
): Promise<ContextPicture> {
  const texts = [...heading, ...parts.map(({ name }) => name)];
  const safe = (await safeText(texts.join('\n'), gate)).split('\n');
  // A secret of several lines becomes one line. Then the names are not known.
  const isKept = safe.length === texts.length;
  return {
    heading: isKept ? safe.slice(0, heading.length) : [],
    parts: parts.map((part, index) => ({
      ...part,
      name: isKept ? (safe[heading.length + index] ?? '') : '',
    })),
  };
}

/** The page of an answer that the parameters ask for, for a model. */
export async function pageOf({ lines, isError }: ToolAnswer, params: unknown): Promise<string> {
  const texts = lines.map(lineText);
  return isError
    ? withNote(texts.join('\n'))
    : answerPage(texts, numberAt(params, 'page') ?? 1, await loadTokenizer('o200k_base'));
}

/** Settings of the user for readings and searches. */
export interface ToolSettings {
  readonly models?: UserModels;
  readonly limits?: UnpackLimits;
  /** False if the user turned the index off. */
  readonly searches?: boolean;
  /** True if the picture of an answer is shown. */
  readonly wantsPicture?: boolean;
}

type ReadSession = Pick<OpenedSession, 'session' | 'gate'>;

/** Answers about sessions on this disk. The one that was asked about last is kept open, and read on when it has grown. */
export class SessionTools {
  private last:
    | (ReadSession & { readonly path: string; readonly state: string; close(): Promise<void> })
    | undefined;
  /** One question after the other: two readings of one file would be twice the work. */
  private turn: Promise<unknown> = Promise.resolve();
  /** The reading of the index that is under way. A later search waits for it. */
  private searching: Promise<unknown> = Promise.resolve();

  answer(
    tool: ContextTool,
    params: unknown,
    caller: Caller,
    settings: ToolSettings = {},
  ): Promise<ToolAnswer> {
    const sources: ToolSources = {
      open: id => this.open(id, caller, settings),
      find: (words, most) => this.find(words, most, caller, settings),
      now: Date.now,
    };
    return answerOf(tool, params, sources, settings.wantsPicture);
  }

  private open(id: string | undefined, caller: Caller, settings: ToolSettings): Promise<OpenedSession> {
    const opened = this.turn
      .catch(() => undefined)
      .then(async () => {
        const place = await (id === undefined ? sessionOfCaller(caller) : sessionNamed(id, caller));
        const { session, gate } = await this.read(place, settings);
        const wanted = id === undefined ? undefined : place.id;
        const chosen = chosenConversation(storedIn(place.path, session.transcript), wanted, caller);
        return {
          session,
          gate,
          conversation: chosen.conversation,
          id: chosen.id ?? place.id,
          path: place.path,
        };
      });
    this.turn = opened;
    return opened;
  }

  private async read({ path }: FoundSession, { models, limits }: ToolSettings): Promise<ReadSession> {
    const { size, mtimeMs } = await stat(path);
    const state = `${stateOf({ path, size, modified: mtimeMs })} ${JSON.stringify([models, limits])}`;
    const { last } = this;
    if (last?.path === path && last.state === state) {
      return last;
    }
    const previous = last?.path === path ? last.session : undefined;
    const source = await openFile(path).catch((error: unknown) => {
      throw new ToolError(`${recorded(path)}: ${describeFileError(error)}`);
    });
    const close = (): Promise<void> => source.close();
    try {
      const opened = await openOnDisk(path, source, {
        scanner: secretScanner,
        mayGrow: true,
        readsSubagents: true,
        countWhileReading: true,
        scanWhileReading: true,
        previous,
        models,
        limits,
      });
      if (!opened.ok) {
        throw new ToolError(`${recorded(path)}: ${opened.sentence}`);
      }
      const { session } = opened;
      await session.measure();
      const gate = new Gate(secretScanner);
      await learnFound(session, gate);
      await last?.close();
      this.last = { session, gate, path, state, close };
      return this.last;
    } catch (error) {
      await close();
      throw error;
    }
  }

  private async find(
    words: string,
    most: number,
    { folders, added, allFolders }: Caller,
    { searches = true }: ToolSettings,
  ): Promise<readonly AnswerLine[]> {
    const query = parseWords(words);
    if (query.match === undefined) {
      throw new ToolError('words: give a word with letters or digits.');
    }
    if (!searches) {
      throw new ToolError('The session index is turned off, so sessions cannot be searched.');
    }
    const found = this.searching
      .catch(() => undefined)
      .then(() =>
        withAllSessions(
          true,
          async ({ index, files }) => {
            const own = await ownSessions(files, { folders, added });
            const isOwn = folderRule({ folders, added, allFolders });
            return searchIndex(
              index,
              filesByKey(own),
              { query, isAllowed: (file, { project }) => isOwn(file, project) },
              { most },
            );
          },
          { folders, added: added(), notice: () => Promise.resolve() },
        ),
      );
    this.searching = found;
    let timer: NodeJS.Timeout | undefined;
    const patience = new Promise<never>((_, reject) => {
      timer = setTimeout(
        () =>
          reject(new ToolError('All sessions are being read for the first search. Ask again in a minute.')),
        longestSearch,
      );
    });
    try {
      const result = await Promise.race([found, patience]);
      return [
        ...searchLines(result),
        ...(allFolders || result.hits.length > 0
          ? []
          : [`Only sessions of this folder were searched. ${howToAllow}`]),
      ];
    } finally {
      clearTimeout(timer);
    }
  }
}
