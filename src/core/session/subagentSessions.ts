import { type FolderEntry, findFiles, lastName } from '../base/pathPattern';
import { allSubagentFiles, subagentFiles } from '../formats/subagentFiles';
import type { TranscriptReader } from '../formats/transcriptReader';
import { bytesSource } from '../model/byteSource';
import type { ModelPrices } from '../model/modelRow';
import { requestKey } from '../model/requestKey';
import type { Subagent, Transcript } from '../model/transcript';
import type { ReadOptions } from '../reading/readFile';
import type { SiblingFiles } from '../reading/format';
import { doubtedTotals } from '../tokens/doubtedTotals';
import type { ModelLookUp } from '../tokens/modelTable';
import { FiguresSum, recordsUsage, usedRequest } from '../tokens/usageFigures';
import type { UsageFigures } from '../model/usageFigures';

/** A subagent of a session whose transcript is a file of its own, read for its requests and their usage alone. */
export interface SubagentSession {
  readonly id: string;
  readonly transcript: Transcript;
}

type Options = Pick<ReadOptions, 'tools' | 'limits' | 'isCancelled'>;

/** The files of subagents by their paths from the session's folder, with what was read of them. */
export type SubagentFiles = ReadonlyMap<string, SubagentFile>;

interface SubagentFile {
  /** In bytes, if it is known. A file that did not grow is not read again. */
  readonly size: number | undefined;
  /** Undefined if it is no transcript. */
  readonly session: SubagentSession | undefined;
}

/**
 * Reads the subagents of a session that have files of their own, and the subagents of these. Never rejects for a file
 * that cannot be read.
 * @param before the files of an earlier reading
 */
export async function readSubagents(
  main: Transcript,
  siblings: SiblingFiles,
  read: TranscriptReader['read'],
  options: Options,
  before: SubagentFiles = new Map(),
): Promise<SubagentFiles> {
  const reading = new SubagentReading(siblings, read, options, before);
  await reading.addBelow(main, siblings, '.');
  return reading.found;
}

/** The subagents that only their files tell of, in addition to those of the session's own record. */
export function furtherSubagents(main: Transcript, files: SubagentFiles): readonly Subagent[] {
  const known = new Set(main.subagents.map(({ id }) => id));
  return [...files.values()].flatMap(({ session }) =>
    session === undefined || known.has(session.id) ? [] : [{ id: session.id }],
  );
}

/** The usage of the subagents in files of their own. A copy of a request counts once. */
export function subagentFigures(main: Transcript, files: SubagentFiles, lookUp: ModelLookUp): UsageFigures {
  const sum = new FiguresSum();
  const counted = new Set(main.requests.map(request => requestKey(main.agent.name, request)));
  const pricesOf = (model: string): ModelPrices | undefined => lookUp(model)?.prices;
  for (const { session } of files.values()) {
    const { requests = [], agent } = session?.transcript ?? {};
    const doubted = session === undefined ? new Set<number>() : doubtedTotals(session.transcript);
    for (const [number, request] of requests.entries()) {
      const { usage, model = '', timestamp, outputDoubtful = false } = request;
      const key = requestKey(agent?.name ?? '', request);
      if (recordsUsage(usage) && (key === 0 || !counted.has(key))) {
        counted.add(key);
        sum.add(
          usedRequest(usage, pricesOf(model), timestamp, pricesOf, outputDoubtful, doubted.has(number)),
        );
      }
    }
  }
  return sum.figures();
}

class SubagentReading {
  readonly found = new Map<string, SubagentFile>();

  constructor(
    private readonly siblings: SiblingFiles,
    private readonly read: TranscriptReader['read'],
    private readonly options: Options,
    private readonly before: SubagentFiles,
  ) {}

  /** @param folder the folder of the transcript, from that of the session */
  async addBelow(
    { format, sessionId, subagents }: Transcript,
    place: Pick<SiblingFiles, 'fileName' | 'folders'>,
    folder: string,
  ): Promise<void> {
    const apart = subagents.filter(({ thread }) => thread === undefined);
    const lists = [
      { id: undefined, patterns: allSubagentFiles(format, place, sessionId) },
      ...apart.map(({ id }) => ({ id, patterns: subagentFiles(format, place, id) })),
    ];
    for (const { id, patterns } of lists) {
      const paths: string[] = [];
      for (const pattern of patterns) {
        // The first pattern with a file is the best guess for one subagent.
        if (id === undefined || paths.length === 0) {
          paths.push(...(await this.find(folder, pattern)));
        }
      }
      for (const path of id === undefined ? paths : paths.slice(0, 1)) {
        if (!this.found.has(path) && path !== `./${this.siblings.fileName}`) {
          await this.add(path, id ?? idIn(lastName(path)));
        }
      }
    }
  }

  private async add(path: string, id: string): Promise<void> {
    const size = await this.siblings.size?.(path);
    const before = this.before.get(path);
    const isSame = before !== undefined && size !== undefined && before.size === size;
    const session = isSame ? before.session : await this.readFile(path, id);
    this.found.set(path, { size, session });
    if (session !== undefined) {
      const place = placeOf(path, this.siblings);
      await this.addBelow(session.transcript, place, folderOf(path));
    }
  }

  private async readFile(path: string, id: string): Promise<SubagentSession | undefined> {
    const bytes = await this.siblings.read(path);
    if (bytes === undefined || bytes.length === 0) {
      return undefined;
    }
    const result = await this.read(bytesSource(bytes), {
      ...this.options,
      usageOnly: true,
      requestsOnly: true,
      mayGrow: false,
      siblings: siblingsAt(path, this.siblings),
    });
    return result.ok ? { id, transcript: result.transcript } : undefined;
  }

  /** The paths of the files that match a pattern, which starts in a folder. */
  private find(folder: string, pattern: string): Promise<readonly string[]> {
    const [, above = '', below = ''] = /^((?:\.\.\/)*)(.*)$/.exec(pattern) ?? [];
    const root = resolved(folder, above);
    return findFiles(root, below, path => this.list(path));
  }

  /** Nothing says which names are folders: a list of a file is empty, and a folder cannot be read as a file. */
  private async list(path: string): Promise<readonly FolderEntry[]> {
    const names = await this.siblings.list(path);
    return [true, false].flatMap(isFolder => names.map(name => ({ name, isFolder, isLink: false })));
  }
}

/** `agent-a1.jsonl` is the file of the subagent `a1`. */
function idIn(fileName: string): string {
  return fileName.replace(/^agent-/, '').replace(/\.[^.]*$/, '');
}

function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/'));
}

/** A path from a folder, with `..` resolved as far as it is below the session's folder. */
function resolved(folder: string, path: string): string {
  const names = folder.split('/');
  for (const name of path.split('/')) {
    const last = names.at(-1);
    if (name === '..' && last !== '.' && last !== '..') {
      names.pop();
    } else if (name !== '' && name !== '.') {
      names.push(name);
    }
  }
  return names.join('/');
}

/** The name of a file next to a session, and the names of the folders above it. */
function placeOf(path: string, { folders }: SiblingFiles): Pick<SiblingFiles, 'fileName' | 'folders'> {
  const names = folderOf(path)
    .split('/')
    .filter(name => name !== '.');
  const above = names.filter(name => name === '..').length;
  return {
    fileName: lastName(path),
    folders: [...names.slice(above).reverse(), ...folders.slice(above)],
  };
}

/** The files next to a subagent's. */
function siblingsAt(path: string, siblings: SiblingFiles): SiblingFiles {
  const folder = folderOf(path);
  return {
    ...siblings,
    ...placeOf(path, siblings),
    read: below => siblings.read(resolved(folder, below)),
    size: async below => siblings.size?.(resolved(folder, below)),
    list: below => siblings.list(resolved(folder, below)),
  };
}
