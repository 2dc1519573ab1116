import { entryOf } from '../base/entryOf';
import { sourceOfBlock } from '../content/toolSources';
import { kindOf, partitionOf, provenanceOf } from '../model/blockWords';
import type { BlockColumns, SessionColumns } from '../model/columns';
import { sources } from '../model/source';
import { isCarried } from './requestTokens';
import type { RequestView } from './requestView';

const known = new WeakMap<BlockColumns, Uint8Array>();

/** The source of each block, as an index into `sources`. One pass over the blocks; names of tools are read once each. */
export function blockSources({ blocks, strings }: SessionColumns): Uint8Array {
  return entryOf(known, blocks, () => {
    const indices = new Uint8Array(blocks.kind.length);
    /** By the facts that decide the source, as one number: the index of the source plus 1; 0 until known. */
    const ofTool = new Map<number, number>();
    for (let block = 0; block < indices.length; block += 1) {
      const tool = blocks.tool[block] ?? 0;
      const key =
        ((tool * 16 + (blocks.kind[block] ?? 0)) * 8 + (blocks.provenance[block] ?? 0)) * 4 +
        (blocks.partition[block] ?? 0);
      indices[block] = entryOf(ofTool, key, () =>
        sources.indexOf(
          sourceOfBlock({
            kind: kindOf(blocks, block),
            provenance: provenanceOf(blocks, block),
            partition: partitionOf(blocks, block),
            toolName: strings.at(tool) ?? '',
          }),
        ),
      );
    }
    return indices;
  });
}

/** The sums of a context up to a request. */
interface RunningSums {
  position: number;
  readonly tokens: Float64Array;
  /** Blocks in the sums that a later request does not carry, and the first of these requests. */
  leaving: number[];
  nextLeft: number;
}

const sums = new WeakMap<SessionColumns, readonly Float64Array[]>();

/**
 * Tokens of each request by source, each block by itself: for each index into `sources`, a figure per request. A context
 * only grows, so one walk over it with its requests in order of length serves them all; memory follows the requests.
 */
export function sourceSums(columns: SessionColumns): readonly Float64Array[] {
  return entryOf(sums, columns, () => {
    const { contexts, requests, blocks } = columns;
    const ofBlock = blockSources(columns);
    const result = sources.map(() => new Float64Array(requests.context.length));
    const running = contexts.map((): RunningSums => ({
      position: 0,
      tokens: new Float64Array(sources.length),
      leaving: [],
      nextLeft: Number.POSITIVE_INFINITY,
    }));
    const add = ({ tokens }: RunningSums, block: number, sign: number): void => {
      const source = ofBlock[block] ?? 0;
      tokens[source] = (tokens[source] ?? 0) + sign * (blocks.tokens[block] ?? 0);
    };
    // Within a context, requests follow each other by length.
    requests.context.forEach((context, request) => {
      const state = running[context];
      const numbers = contexts[context];
      if (state === undefined || numbers === undefined) {
        return;
      }
      const end = Math.min(requests.length[request] ?? 0, numbers.length);
      for (; state.position < end; state.position += 1) {
        const block = numbers[state.position] ?? 0;
        add(state, block, 1);
        const left = blocks.leftAt[block] ?? -1;
        if (left >= 0) {
          state.leaving.push(block);
          state.nextLeft = Math.min(state.nextLeft, left);
        }
      }
      if (state.nextLeft <= request) {
        const left = state.leaving.filter(block => !isCarried(blocks, block, request));
        left.forEach(block => {
          add(state, block, -1);
        });
        state.leaving = state.leaving.filter(block => isCarried(blocks, block, request));
        state.nextLeft = state.leaving.reduce(
          (least, block) => Math.min(least, blocks.leftAt[block] ?? 0),
          Number.POSITIVE_INFINITY,
        );
      }
      result.forEach((column, source) => {
        column[request] = state.tokens[source] ?? 0;
      });
    });
    return result;
  });
}

/** Tokens of a request by index into `sources`, calibrated; they add up to its total. What is not recorded comes first. */
export function requestSources(
  columns: SessionColumns,
  {
    request,
    offsets,
    notRecorded,
    blocks,
  }: Pick<RequestView, 'request' | 'offsets' | 'notRecorded' | 'blocks'>,
): readonly number[] {
  const figures = sourceSums(columns).map(column => column[request] ?? 0);
  const counted = figures.reduce((sum, tokens) => sum + tokens, 0);
  const visible = (offsets[blocks.length] ?? 0) - notRecorded.value;
  let sum = 0;
  let given = 0;
  return figures.map((tokens, source) => {
    if (source === 0) {
      return notRecorded.value;
    }
    // Rounded cumulatively, so that the parts add up to the whole.
    sum += tokens;
    const upTo = counted === 0 ? 0 : Math.round((sum / counted) * visible);
    const own = upTo - given;
    given = upTo;
    return own;
  });
}
