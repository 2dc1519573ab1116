import { runEventLoop } from '../base/cancelling';
import { surroundings } from '../base/surroundings';
import { translate } from '../base/translate';
import { blocksOf } from '../model/requestBlocks';
import { maskPage } from '../sensitivity/maskText';
import type { TranscriptSession } from '../session/transcriptSession';
import { type BlockHits, type FindQuery, type FoundPart, patternOf, type Surroundings } from './findQuery';

/** Runs work that may take very long, and stops it after some milliseconds. Returns undefined if it was stopped. */
export type RunWithin = <Result>(work: () => Result, milliseconds: number) => Result | undefined;

/** Maximum number of hits counted in one block. */
export const mostHits = 10_000;
/** Duration of one part of a search. After a part, other questions are answered, and a newer search can begin. */
const partMilliseconds = 60;
/** Maximum time of a pattern for one batch of texts. Ordinary patterns take a few milliseconds. */
const patternMilliseconds = 500;
/** Size of a batch of texts in memory, in UTF-8 bytes and in blocks. */
const batchBytes = 1 << 20;
const batchBlocks = 256;
/** The most text that is shown before and after a hit, in UTF-16 units. */
const most = { before: 24, after: 80 };

interface Hit {
  readonly start: number;
  readonly end: number;
}

interface Hits {
  readonly count: number;
  readonly first: Hit | undefined;
  readonly isNamed: boolean;
}

/**
 * Searches texts and names of blocks from index `from` on, for a short time. The blocks of the request come first, then
 * all others, each in file order. To continue, the caller passes `done`.
 */
export async function findPart(
  session: TranscriptSession,
  { query, request, from }: { readonly query: FindQuery; readonly request: number; readonly from: number },
  runWithin: RunWithin,
): Promise<FoundPart> {
  const pattern = patternOf(query);
  const order = searchOrder(session, request);
  const blocks: FoundPart['blocks'][number][] = [];
  const end = Date.now() + partMilliseconds;
  let done = Math.min(from, order.length);
  while (done < order.length && Date.now() < end) {
    const batch = nextBatch(session, order, done);
    const texts = await textsOf(session, batch);
    const found = runWithin(
      () =>
        texts.map(({ block, text }): Hits => {
          const { length, first } = hitsIn(text, pattern);
          return {
            count: length,
            first,
            isNamed: session.namesOf(block).some(name => hasHit(name, pattern)),
          };
        }),
      patternMilliseconds,
    );
    if (found === undefined) {
      return { blocks, done, total: order.length, sentence: tooLong() };
    }
    for (const [place, { count, first, isNamed }] of found.entries()) {
      const { block = 0, text = '' } = texts[place] ?? {};
      if (count > 0 || isNamed) {
        const around = first === undefined ? undefined : await surroundingsOf(session, block, text, first);
        blocks.push({ block, hits: count, isNamed, ...(around !== undefined && { around }) });
      }
    }
    done += batch.length;
    await runEventLoop();
  }
  return { blocks, done, total: order.length };
}

/** All hits in a block's text, at most `mostHits`. */
export async function findInBlock(
  session: TranscriptSession,
  { query, block }: { readonly query: FindQuery; readonly block: number },
  runWithin: RunWithin,
): Promise<BlockHits> {
  const pattern = patternOf(query);
  const [read] = await textsOf(session, [block]);
  const found = runWithin(() => hitsIn(read?.text ?? '', pattern, mostHits), patternMilliseconds);
  return found === undefined ? { hits: [], sentence: tooLong() } : { hits: [...found.hits] };
}

const tooLong = (): string =>
  translate('The search stopped here: this expression takes too long. Try a simpler one.');

/** Block numbers: those of the request, then the others, each in file order. */
function searchOrder(session: TranscriptSession, request: number): Uint32Array {
  const { columns } = session.toSession();
  const { length } = session.transcript.blocks;
  const order = new Uint32Array(length);
  const isFirst = new Uint8Array(length);
  let filled = 0;
  for (const block of blocksOf(columns, request).toSorted()) {
    if (isFirst[block] === 0) {
      isFirst[block] = 1;
      order[filled] = block;
      filled += 1;
    }
  }
  for (let block = 0; block < length; block += 1) {
    if (isFirst[block] === 0) {
      order[filled] = block;
      filled += 1;
    }
  }
  return order;
}

function nextBatch(session: TranscriptSession, order: Uint32Array, from: number): readonly number[] {
  const { bytes } = session.transcript.blocks.rows;
  const batch: number[] = [];
  let size = 0;
  for (
    let place = from;
    place < order.length && batch.length < batchBlocks && size < batchBytes;
    place += 1
  ) {
    const block = order[place] ?? 0;
    batch.push(block);
    size += bytes[block] ?? 0;
  }
  return batch;
}

interface BlockText {
  readonly block: number;
  readonly text: string;
}

/** The texts of blocks; empty for pictures. */
async function textsOf(session: TranscriptSession, blocks: readonly number[]): Promise<readonly BlockText[]> {
  const pictures = blocks.filter(block => session.isImage(block));
  const found: BlockText[] = pictures.map(block => ({ block, text: '' }));
  for await (const { block, text } of session.textsOf(blocks.filter(block => !pictures.includes(block)))) {
    found.push({ block, text });
  }
  return found;
}

/** The hits of a pattern. Each has at least one character. */
function hitsIn(
  text: string,
  pattern: RegExp,
  kept = 1,
): { readonly length: number; readonly first: Hit | undefined; readonly hits: readonly Hit[] } {
  const hits: Hit[] = [];
  let length = 0;
  pattern.lastIndex = 0;
  for (let match = pattern.exec(text); match !== null && length < mostHits; match = pattern.exec(text)) {
    const [{ length: units }] = match;
    if (units === 0) {
      // Half a character further, a pattern with the Unicode flag would find the same again.
      pattern.lastIndex += (text.codePointAt(match.index) ?? 0) > 0xffff ? 2 : 1;
      continue;
    }
    length += 1;
    if (hits.length < kept) {
      hits.push({ start: match.index, end: match.index + units });
    }
  }
  return { length, first: hits[0], hits };
}

function hasHit(text: string, pattern: RegExp): boolean {
  return hitsIn(text, pattern).length > 0;
}

/** Undefined until the text has been scanned, because until then the ranges to mask are unknown. */
async function surroundingsOf(
  session: TranscriptSession,
  block: number,
  text: string,
  { start, end }: Hit,
): Promise<Surroundings | undefined> {
  const scanned = session.scanned(block);
  if (scanned === undefined) {
    return undefined;
  }
  const findings = scanned === 0 ? [] : await session.findingsIn(text);
  const shownEnd = Math.min(end, start + most.after);
  const [first, last] = surroundings(text, { start, end: shownEnd }, most);
  const part = (from: number, to: number): Surroundings['hit'] => maskPage(text, findings, from, to);
  const ellipsis = { text: '…' };
  return {
    before: [...(first > 0 ? [ellipsis] : []), ...part(first, start)],
    hit: [...part(start, shownEnd)],
    after: [...part(shownEnd, last), ...(last < text.length ? [ellipsis] : [])],
  };
}
