import { BlockTable, type IndexedBlock } from '../../core/index/blockTable';
import { contextOf, type FoundText } from '../../core/index/textContext';
import type { IndexedSession } from '../../core/index/indexedSession';
import { placeOf, type WordQuery } from '../../core/index/wordQuery';
import type { SessionFile } from '../../core/finder/sessionList';
import { readTranscript } from '../../core/formats/readTranscript';
import type { PromptRole } from '../../core/model/labels';
import { parseJson } from '../../core/base/json';
import { resolveText, TextReader } from '../../core/session/textReader';
import { decoderTools } from '../database';
import { decodeText } from '../decodeText';
import { openFile } from '../fileByteSource';
import { siblingFilesOf } from '../siblingFiles';
import type { FoundWords, Index } from './indexTypes';
import { pathKey } from './updateIndex';

/** Blocks that are asked of the index at once. */
const askedAtOnce = 200;

/** What a search is narrowed to. Texts match in any case; agent and project as a part of the name. */
export interface SearchWish {
  readonly query: WordQuery;
  readonly agent?: string | undefined;
  readonly project?: string | undefined;
  readonly role?: PromptRole | undefined;
  readonly tool?: string | undefined;
  /** Milliseconds since 1970. */
  readonly since?: number | undefined;
  readonly most: number;
}

/** A block that has what was looked for. */
export interface SearchHit {
  readonly file: SessionFile;
  readonly session: IndexedSession;
  readonly block: IndexedBlock;
  /** Undefined where the file cannot be read any more. */
  readonly context: FoundText | undefined;
}

export interface SearchResult {
  readonly hits: readonly SearchHit[];
  /** There are more. */
  readonly hasMore: boolean;
}

/** Finds blocks in all listed files, those of the newest file first. Rejects as the methods of Index. */
export async function searchIndex(
  index: Index,
  files: readonly SessionFile[],
  wish: SearchWish,
): Promise<SearchResult> {
  const { match } = wish.query;
  const hits: SearchHit[] = [];
  if (match === undefined) {
    return { hits, hasMore: false };
  }
  const search = new Search(index, new Map(files.map(file => [pathKey(file.path), file])), wish);
  let before: FoundWords | undefined;
  for (;;) {
    const found = await index.find(match, { since: wish.since, before, most: askedAtOnce });
    for (const place of found) {
      for (const hit of await search.hitsAt(place)) {
        if (hits.length === wish.most) {
          return { hits, hasMore: true };
        }
        hits.push(hit);
      }
    }
    before = found.at(-1);
    if (before === undefined || found.length < askedAtOnce) {
      return { hits, hasMore: false };
    }
  }
}

interface OpenFile {
  readonly file: SessionFile;
  readonly session: IndexedSession;
  readonly blocks: BlockTable;
  readonly texts: BlockTexts;
}

class Search {
  private open: { readonly id: number; readonly file: OpenFile | undefined } | undefined;

  constructor(
    private readonly index: Index,
    private readonly listed: ReadonlyMap<string, SessionFile>,
    private readonly wish: SearchWish,
  ) {}

  async hitsAt({ file: id, block: first }: FoundWords): Promise<readonly SearchHit[]> {
    // Blocks of one file follow each other.
    if (this.open?.id !== id) {
      this.open = { id, file: await this.openFile(id) };
    }
    const { file: found } = this.open;
    if (found === undefined) {
      return [];
    }
    const { file, session, blocks, texts } = found;
    const wanted = blocks
      .copiesOf(first)
      .map(block => blocks.at(block))
      .filter(block => this.isWanted(block, file));
    if (wanted.length === 0) {
      return [];
    }
    const text = await texts.read(blocks.at(first)).catch(() => undefined);
    if (text === undefined) {
      return wanted.map(block => ({ file, session, block, context: undefined }));
    }
    const place = placeOf(this.wish.query, text);
    if (place === undefined) {
      return [];
    }
    const masked = blocks.maskedIn(first).map(range => ({ ...range, label: 'restricted' as const }));
    const context = contextOf(text, place, masked);
    return wanted.map(block => ({ file, session, block, context }));
  }

  private openFile(id: number): Promise<OpenFile | undefined> {
    const { agent = '', project = '' } = this.wish;
    return this.index.fileOf(id, ({ path, session, blocks }) => {
      const file = this.listed.get(path);
      const isAsked =
        file !== undefined &&
        (includes(session.agent, agent) || includes(file.agent, agent)) &&
        includes(session.project, project);
      return isAsked && blocks.length > 0
        ? { file, session, blocks: new BlockTable(blocks), texts: new BlockTexts(file.path) }
        : undefined;
    });
  }

  private isWanted({ role, tool, time }: IndexedBlock, file: SessionFile): boolean {
    const { wish } = this;
    return (
      (wish.role === undefined || role === wish.role) &&
      (wish.tool === undefined || tool?.toLowerCase() === wish.tool.toLowerCase()) &&
      (wish.since === undefined || (time ?? file.modified) >= wish.since)
    );
  }
}

function includes(text: string, part: string): boolean {
  return text.toLowerCase().includes(part.toLowerCase());
}

/** Reads texts of blocks from their file, which is opened for each: there are few. */
class BlockTexts {
  private whole: TextReader | undefined;

  constructor(private readonly path: string) {}

  /** Rejects where the file cannot be read, or has changed since. */
  async read({ block, text }: IndexedBlock): Promise<string> {
    const source = await openFile(this.path);
    try {
      if (text !== undefined) {
        const { offset, length } = text.record;
        const value = parseJson(decodeText(await source.read(offset, length)));
        if (value === undefined) {
          throw new Error('The record has changed.');
        }
        return resolveText(value, text);
      }
      this.whole ??= await readWhole(this.path, source);
      return await this.whole.read(block);
    } finally {
      await source.close();
    }
  }
}

/** Everything that is needed of a file whose texts stand in no record of their own. */
async function readWhole(path: string, source: Awaited<ReturnType<typeof openFile>>): Promise<TextReader> {
  const result = await readTranscript(source, {
    mayGrow: false,
    decodeText,
    tools: decoderTools,
    siblings: siblingFilesOf(path),
  });
  if (!result.ok) {
    throw new Error(result.sentence);
  }
  return new TextReader(result.source ?? source, result.transcript, result.document, decodeText);
}
