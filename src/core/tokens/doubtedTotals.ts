import { blockContentTypes } from '../model/labels';
import { blockKinds } from '../model/block';
import type { RecordedRequest, Transcript } from '../model/transcript';
import { inputOf } from './prices';
import { recordsUsage } from './usageFigures';

/**
 * Bytes of text per token that no provider exceeds for a whole context. English prose has about 4.5, code 3.5. Proxies
 * record placeholders such as 1, and some agents record the input without its cached part.
 */
const mostBytes = 8;

const imageType = blockContentTypes.indexOf('image');
const thinkingKind = blockKinds.indexOf('thinking');
const resultKind = blockKinds.indexOf('toolResult');
const schemaKind = blockKinds.indexOf('toolSchema');

/** The sums of one context, up to a block. */
interface ContextSums {
  walked: number;
  /** Bytes of the texts that agents send in every request. */
  lasting: number;
  /** Bytes of the results of the newest step. An older result may have been cleared without a record. */
  results: number;
}

const known = new WeakMap<Transcript, ReadonlySet<number>>();

/**
 * The requests whose recorded input is smaller than their texts can be. Such an input is shown as recorded and doubted;
 * the context is estimated, and nothing is scaled to it.
 */
export function doubtedTotals(transcript: Transcript): ReadonlySet<number> {
  let found = known.get(transcript);
  if (found === undefined) {
    found = findDoubted(transcript);
    known.set(transcript, found);
  }
  return found;
}

function findDoubted(transcript: Transcript): ReadonlySet<number> {
  const found = new Set<number>();
  const sums = new Map<number, ContextSums>();
  transcript.requests.forEach((request, index) => {
    const bytes = sentBytes(transcript, request, sums);
    const { usage } = request;
    if (recordsUsage(usage) && inputOf(usage) > 0 && usage.isDamaged !== true) {
      if (inputOf(usage) * mostBytes < bytes) {
        found.add(index);
      }
    }
  });
  return found;
}

/** Bytes of text that a request certainly sent. */
function sentBytes(
  { contexts, blocks }: Transcript,
  { context, length }: RecordedRequest,
  sums: Map<number, ContextSums>,
): number {
  const sum = sums.get(context) ?? { walked: 0, lasting: 0, results: 0 };
  sums.set(context, sum);
  const list = contexts[context] ?? [];
  if (length < sum.walked) {
    return 0;
  }
  if (length > sum.walked) {
    sum.results = 0;
  }
  for (; sum.walked < length; sum.walked += 1) {
    const block = list[sum.walked] ?? 0;
    const { kind, contentType, bytes } = blocks.rows;
    const [own, size] = [kind[block], bytes[block] ?? 0];
    if (own === resultKind) {
      sum.results += contentType[block] === imageType ? 0 : size;
    } else if (own !== thinkingKind && own !== schemaKind && contentType[block] !== imageType) {
      sum.lasting += size;
    }
  }
  return sum.lasting + sum.results;
}
