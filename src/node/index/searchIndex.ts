import { throwIfCancelled, type WorkOptions, WorkTurn } from '../../core/base/cancelling';
import { groupBy } from '../../core/base/groupBy';
import { BlockTable, type IndexedBlock } from '../../core/index/blockTable';
import { contextOf, type FoundText } from '../../core/index/textContext';
import { type IndexedSession, sessionOfThread } from '../../core/index/indexedSession';
import { placeOf, type WordQuery } from '../../core/index/wordQuery';
import type { SessionFile } from '../../core/finder/sessionList';
import type { PromptRole } from '../../core/model/labels';
import type { Source } from '../../core/model/source';
import { parseJson } from '../../core/base/json';
import { resolveText, type TextReader } from '../../core/session/textReader';
import { decodeText } from '../files/decodeText';
import { type FileByteSource, openFileNow } from '../files/fileByteSource';
import { hashText } from '../files/hashText';
import { idAt } from './freeIds';
import { readTexts } from './indexReading';
import type { FoundWords, Index } from './indexTypes';
import { pathKey } from './updateIndex';

/**
 * Number of blocks requested from the index at once: few at first, more each time. Every question for the beginning of
 * a word builds the list of all blocks again.
 */
const askedFirst = 256;
const growth = 10;
const mostAsked = 20_000;
/**
 * Maximum number of files whose tables are read at once. Each read locks the index, and the first results may be
 * enough.
 */
const filesAtOnce = 64;

/** The filters of a search. Names match in any case, and also in part. */
export interface SearchWish extends Pick<WorkOptions, 'isCancelled'> {
  readonly query: WordQuery;
  readonly agent?: string | undefined;
  readonly project?: string | undefined;
  readonly role?: PromptRole | undefined;
  readonly source?: Source | undefined;
  readonly tool?: string | undefined;
  readonly model?: string | undefined;
  /** The file that a block is about. */
  readonly file?: string | undefined;
  /** Only results that the record marks as failed. */
  readonly isError?: boolean | undefined;
  /** Milliseconds since 1970; `until` is excluded. */
  readonly since?: number | undefined;
  readonly until?: number | undefined;
  /** Says if a session may be found. */
  readonly isAllowed?: (file: SessionFile, session: IndexedSession) => Promise<boolean>;
}

/** True if a wish without words has a filter. */
export function isNarrowed({ query: _, isCancelled: __, isAllowed: ___, ...narrowing }: SearchWish): boolean {
  return Object.values(narrowing).some(value => value !== undefined && value !== '' && value !== false);
}

/** A block that matches. */
export interface SearchHit {
  readonly file: SessionFile;
  readonly session: IndexedSession;
  readonly block: IndexedBlock;
  /** Undefined if the file can no longer be read. */
  readonly context: FoundText | undefined;
  /** The same for blocks of one kind with equal texts; undefined if the text cannot be read. */
  readonly content: string | undefined;
  /** Number of other sessions with the same text; 0 if equal texts are not merged. */
  readonly also: number;
}

export interface SearchResult {
  readonly hits: readonly SearchHit[];
  /** There are more. */
  readonly hasMore: boolean;
  readonly counts: SearchCounts;
}

/** The number of results of a search, by source. */
export interface SearchCounts {
  readonly sources: ReadonlyMap<Source, number>;
  readonly sessions: number;
  /** True if there may be more. */
  readonly isLeast: boolean;
}

export interface SearchLimits {
  /** Hits. */
  readonly most: number;
  /** The time that counting continues after the requested number of hits, in milliseconds. */
  readonly counting?: number;
  /** True to merge equal texts of several sessions, such as copies and forks, into one hit in the newest. */
  readonly folds?: boolean;
}

/** The files to search, by their keys in the index. */
export function filesByKey(files: readonly SessionFile[]): ReadonlyMap<string, SessionFile> {
  return new Map(files.map(file => [pathKey(file), file]));
}

/**
 * Finds blocks in files: the newest file first, and in a file the newest block first. Rejects like the methods of
 * Index, and when it is cancelled.
 */
export async function searchIndex(
  index: Index,
  files: ReadonlyMap<string, SessionFile>,
  wish: SearchWish,
  { most, counting = 0, folds = false }: SearchLimits,
): Promise<SearchResult> {
  const end = Date.now() + counting;
  const hits: SearchHit[] = [];
  /** By content: the hit, and the sessions with the same content. */
  const contents = new Map<string, { readonly hit: SearchHit; readonly also: Set<SessionFile> }>();
  const sources = new Map<Source, number>();
  const sessions = new Set<SessionFile>();
  const result = (isLeast: boolean, hasMore: boolean): SearchResult => ({
    hits: hits.map(hit => ({ ...hit, also: contents.get(hit.content ?? '')?.also.size ?? 0 })),
    hasMore,
    counts: { sources, sessions: sessions.size, isLeast },
  });
  let hasMore = false;
  for await (const hit of findHits(index, files, wish)) {
    const { source } = hit.block;
    const isAsked = wish.source === undefined || source === wish.source;
    const same = folds && hit.content !== undefined ? contents.get(hit.content) : undefined;
    const isFolded = same !== undefined && same.hit.file !== hit.file;
    hasMore ||= isAsked && !isFolded && hits.length === most;
    if (hasMore && Date.now() >= end) {
      return result(true, true);
    }
    sources.set(source, (sources.get(source) ?? 0) + 1);
    sessions.add(hit.file);
    if (isFolded) {
      same.also.add(hit.file);
    } else if (isAsked && hits.length < most) {
      hits.push(hit);
      if (folds && hit.content !== undefined && same === undefined) {
        contents.set(hit.content, { hit, also: new Set() });
      }
    }
  }
  return result(false, hasMore);
}

/** All hits from every source. */
async function* findHits(
  index: Index,
  files: ReadonlyMap<string, SessionFile>,
  wish: SearchWish,
): AsyncGenerator<SearchHit> {
  const { match, isBlank } = wish.query;
  const search = new Search(index, files, wish);
  try {
    if (match !== undefined) {
      yield* hitsOfWords(index, search, match, wish.since);
    } else if (isBlank && isNarrowed(wish)) {
      yield* hitsOfAll(index, search, wish.since);
    }
  } finally {
    await search.close();
  }
}

async function* hitsOfWords(
  index: Index,
  search: Search,
  match: string,
  since: number | undefined,
): AsyncGenerator<SearchHit> {
  let before: FoundWords | undefined;
  for (let asked = askedFirst; ; asked = Math.min(growth * asked, mostAsked)) {
    const found = await index.find(match, { since, before, most: asked });
    // Blocks of one file follow each other.
    const byFile = [...groupBy(found, place => place.file)];
    for (const [number, [, places]] of byFile.entries()) {
      const next = byFile.slice(number, number + filesAtOnce).map(([file]) => file);
      yield* search.hitsIn(
        next,
        places.map(({ block }) => block),
      );
    }
    before = found.at(-1);
    if (before === undefined || found.length < asked) {
      return;
    }
  }
}

/** The hits among all blocks. A file that was last written before `since` has no newer blocks. */
async function* hitsOfAll(
  index: Index,
  search: Search,
  since: number | undefined,
): AsyncGenerator<SearchHit> {
  const least = idAt(since ?? 0);
  const ids = (await index.files())
    .filter(({ id, words }) => words === 'whole' && id >= least)
    .map(({ id }) => id)
    .sort((one, other) => other - one);
  for (const number of ids.keys()) {
    yield* search.hitsIn(ids.slice(number, number + filesAtOnce));
  }
}

interface OpenFile {
  readonly file: SessionFile;
  readonly session: IndexedSession;
  readonly blocks: BlockTable;
  readonly texts: BlockTexts;
}

class Search {
  /** Opened files by id. Undefined for files that are not searched. */
  private known = new Map<number, OpenFile | undefined>();
  private newest: BlockTexts | undefined;
  private atOnce = 1;
  private readonly turn = new WorkTurn();

  constructor(
    private readonly index: Index,
    private readonly listed: ReadonlyMap<string, SessionFile>,
    private readonly wish: SearchWish,
  ) {}

  /**
   * The hits in the first of some files, the newest first.
   * @param ids of the files, in the order in which they are requested
   * @param firsts the possible hits, with their copies; all blocks if absent
   */
  async *hitsIn(ids: readonly number[], firsts?: readonly number[]): AsyncGenerator<SearchHit> {
    await this.giveWay();
    const [id = 0] = ids;
    if (!this.known.has(id)) {
      this.known = await this.openFiles(ids.slice(0, this.atOnce));
      this.atOnce = Math.min(2 * this.atOnce, filesAtOnce);
    }
    const found = this.known.get(id);
    if (this.newest !== found?.texts) {
      await this.close();
      this.newest = found?.texts;
    }
    if (found === undefined) {
      return;
    }
    const { file, session, blocks } = found;
    const numbers =
      firsts?.flatMap(first => blocks.copiesOf(first)).sort((one, other) => other - one) ?? blocks.all;
    const read = new Map<number, Pick<SearchHit, 'context' | 'content'> | undefined>();
    for (const number of numbers) {
      const block = blocks.at(number);
      if (this.isWanted(block, session, file) && (await this.isAllowed(block, session, file))) {
        await this.giveWay();
        if (!read.has(block.first)) {
          read.set(block.first, await this.contextOf(found, block.first));
        }
        const known = read.get(block.first);
        if (known !== undefined) {
          yield { file, session, block, ...known, also: 0 };
        }
      }
    }
  }

  private async isAllowed(block: IndexedBlock, inFile: IndexedSession, file: SessionFile): Promise<boolean> {
    const session = sessionOfThread(inFile, block.conversation);
    return (await this.wish.isAllowed?.(file, session)) ?? true;
  }

  /** Texts are read without a pause, so without this a search would not notice that it is cancelled. */
  private async giveWay(): Promise<void> {
    if (this.turn.isOver) {
      await this.turn.next();
    }
    throwIfCancelled(this.wish.isCancelled);
  }

  /** The shown context of a block; undefined if its text has no match. */
  private async contextOf(
    { blocks, texts }: OpenFile,
    first: number,
  ): Promise<Pick<SearchHit, 'context' | 'content'> | undefined> {
    const block = blocks.at(first);
    const text = await texts.read(block).catch(() => undefined);
    if (text === undefined) {
      return { context: undefined, content: undefined };
    }
    const place = placeOf(this.wish.query, text);
    if (place === undefined) {
      return undefined;
    }
    const masked = blocks.maskedIn(first).map(range => ({ ...range, label: 'restricted' as const }));
    return { context: contextOf(text, place, masked), content: `${block.kind} ${hashText(text)}` };
  }

  /** Closes the last file read. */
  async close(): Promise<void> {
    await this.newest?.close();
    this.newest = undefined;
  }

  private async openFiles(ids: readonly number[]): Promise<Map<number, OpenFile | undefined>> {
    const { agent, project } = this.wish;
    const opened = new Map<number, OpenFile | undefined>(ids.map(id => [id, undefined]));
    await this.index.filesOf(ids, ({ id, path, session, blocks }) => {
      const file = this.listed.get(path);
      const isAsked =
        file !== undefined &&
        (has(session.agent, agent) || has(file.agent, agent)) &&
        [session, ...(session.several?.sessions ?? [])].some(each => isIn(each, project));
      if (isAsked && blocks.length > 0) {
        opened.set(id, { file, session, blocks: new BlockTable(blocks), texts: new BlockTexts(file.path) });
      }
    });
    return opened;
  }

  private isWanted(block: IndexedBlock, session: IndexedSession, file: SessionFile): boolean {
    const { project, role, tool, model, file: path, isError, since, until } = this.wish;
    const time = block.time ?? file.modified;
    return (
      // A picture has no text.
      block.kind !== 'image' &&
      (role === undefined || block.role === role) &&
      (isError !== true || block.isError) &&
      (since === undefined || time >= since) &&
      (until === undefined || time < until) &&
      isIn(sessionOfThread(session, block.conversation), project) &&
      has(block.tool, tool) &&
      has(block.model, model) &&
      has(block.path?.replaceAll('\\', '/'), path?.replaceAll('\\', '/'))
    );
  }
}

/** True if the project's name, or that of the repository of a worktree, contains a part. */
const isIn = ({ project, repository }: Pick<IndexedSession, 'project' | 'repository'>, part = ''): boolean =>
  has(project, part) || (repository !== undefined && has(repository, part));

/** True if a name contains a part, ignoring case. Without a part, every name matches. */
function has(name = '', part = ''): boolean {
  return part === '' || name.toLowerCase().includes(part.toLowerCase());
}

/** Reads texts of blocks from their file. The file is open from the first text until it is closed. */
class BlockTexts {
  private source: FileByteSource | undefined;
  private whole: TextReader | undefined;
  /** The last record read, because blocks of one record follow each other. */
  private last: { readonly offset: number; readonly value: unknown } | undefined;

  constructor(private readonly path: string) {}

  /** Rejects if the file cannot be read, or has changed since. */
  async read({ block, text }: IndexedBlock): Promise<string> {
    const source = (this.source ??= openFileNow(this.path));
    if (text === undefined) {
      this.whole ??= await readTexts(this.path, source);
      return this.whole.read(block);
    }
    const { offset, length } = text.record;
    if (this.last?.offset !== offset) {
      this.last = { offset, value: parseJson(decodeText(await source.read(offset, length))) };
    }
    const { value } = this.last;
    if (value === undefined) {
      throw new Error('The record has changed.');
    }
    return resolveText(value, text);
  }

  async close(): Promise<void> {
    await this.source?.close();
    this.source = undefined;
    this.whole = undefined;
    this.last = undefined;
  }
}
