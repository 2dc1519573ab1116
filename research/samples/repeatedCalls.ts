import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { entryOf } from '../../src/core/base/entryOf';
import { formatExactShare } from '../../src/core/base/format';
import { hasBits } from '../../src/core/base/numbers';
import { blockFlags } from '../../src/core/model/block';
import { kindOf } from '../../src/core/model/blockWords';
import type { Compaction } from '../../src/core/model/transcript';
import type { TranscriptSession } from '../../src/core/session/transcriptSession';
import { openSample } from './openSample';

/** Requests after a change of the context that are looked at. */
const reach = 10;

/** Requests whose reply has a call, and those that repeat an earlier call: the same tool with the same input. */
class Rate {
  requests = 0;
  repeated = 0;

  add(repeats: boolean): void {
    this.requests += 1;
    this.repeated += repeats ? 1 : 0;
  }

  get text(): string {
    const share = this.requests === 0 ? '–' : formatExactShare(this.repeated / this.requests);
    return `${this.repeated} of ${this.requests} (${share})`;
  }
}

/** The rates around the changes of one kind. */
class Rates {
  events = 0;
  readonly sessions = new Set<string>();
  /** The next request with a call repeats one whose result went. */
  readonly next = new Rate();
  /** The same for each of the next requests. */
  readonly near = new Rate();
  /** Any repetition in each of the next requests, whatever went. */
  readonly anyNear = new Rate();
  /** Any repetition in as many requests before. */
  readonly before = new Rate();
}

/**
 * How often a request repeats a call whose result was cleared or compacted away, against repetitions before. Copies of a
 * session count once.
 */
export async function repeatedCalls(files: readonly string[], lists: boolean): Promise<readonly string[]> {
  const rates = new Map<Compaction['kind'], Rates>();
  const lines: string[] = [];
  const known = new Set<string>();
  for (const file of files) {
    const session = await openSample(basename(file), readFileSync(file)).catch(() => undefined);
    if (session !== undefined && session.transcript.compactions.length > 0) {
      const id = `${session.transcript.sessionId ?? file} ${session.transcript.requests.length}`;
      if (!known.has(id)) {
        known.add(id);
        lines.push(...measure(basename(file), session, rates));
      }
    }
  }
  return [
    ...(lists ? lines : []),
    ...[...rates].map(
      ([kind, { events, sessions, next, near, anyNear, before }]) =>
        `${kind}: ${events} in ${sessions.size} sessions; the next call repeats one whose result went: ${next.text}; in the next ${reach} requests: ${near.text}; any repetition there: ${anyNear.text}; before: ${before.text}`,
    ),
  ];
}

function measure(
  name: string,
  session: TranscriptSession,
  rates: Map<Compaction['kind'], Rates>,
): readonly string[] {
  const lines: string[] = [];
  const { requests, compactions, contexts } = session.transcript;
  const { blocks, strings } = session.toSession().columns;
  const keyOf = (block: number): string =>
    `${strings.at(blocks.tool[block] ?? 0) ?? ''} ${blocks.content[block] ?? block}`;
  const callsIn = (request: number): readonly number[] =>
    (requests[request]?.reply ?? []).filter(block => kindOf(blocks, block) === 'toolCall');
  /** The calls whose results a request carries whole. */
  const carried = (request: number): ReadonlySet<number> => {
    const { context = 0, length = 0 } = requests[request] ?? {};
    return new Set(
      (contexts[context] ?? [])
        .slice(0, length)
        .filter(
          block =>
            kindOf(blocks, block) === 'toolResult' && !hasBits(blocks.flags, block, blockFlags.cleared),
        )
        .map(block => blocks.callId[block] ?? 0),
    );
  };
  for (const { kind, request: first, thread } of compactions) {
    const own = [...requests.keys()].filter(
      request => requests[request]?.thread === thread && callsIn(request).length > 0,
    );
    const earlier = own.filter(request => request < first);
    const later = own.filter(request => request >= first).slice(0, reach);
    if (earlier.length === 0 || later.length === 0) {
      continue;
    }
    const sums = entryOf(rates, kind, () => new Rates());
    const left = carried(first);
    const calls = new Map(earlier.flatMap(callsIn).map(call => [keyOf(call), call]));
    const gone = new Set(
      [...calls].flatMap(([key, call]) => (left.has(blocks.callId[call] ?? 0) ? [] : [key])),
    );
    sums.events += 1;
    sums.sessions.add(name);
    const seen = new Set(calls.keys());
    later.forEach((request, place) => {
      const keys = callsIn(request).map(keyOf);
      const repeats = keys.some(key => gone.has(key));
      if (place === 0) {
        sums.next.add(repeats);
      }
      sums.near.add(repeats);
      sums.anyNear.add(keys.some(key => seen.has(key)));
      keys.forEach(key => {
        // A second repetition is not about what went.
        gone.delete(key);
        seen.add(key);
      });
      if (repeats) {
        lines.push(`${name} ${kind} at ${first}: request ${request} repeats ${keys.join(', ')}`);
      }
    });
    const past = new Set<string>();
    const begin = Math.max(1, earlier.length - reach);
    earlier.forEach((request, place) => {
      const keys = callsIn(request).map(keyOf);
      if (place >= begin) {
        sums.before.add(keys.some(key => past.has(key)));
      }
      keys.forEach(key => past.add(key));
    });
  }
  return lines;
}
