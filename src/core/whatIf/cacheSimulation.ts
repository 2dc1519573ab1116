import { kindOf } from '../model/blockWords';
import { cachesInput, readableTokens } from '../prune/requestCost';
import { blockTokens, type Course, identityOf, type Prompt, promptTokens } from './course';

/** The size of a prompt, and the part of it that the simulated cache holds, in tokens. */
export interface SimulatedPrompt {
  readonly total: number;
  readonly read: number;
}

/** Without a published figure: the number of blocks that a read looks back from a breakpoint. */
const usualLookback = 20;

/** A prefix of blocks that some request of a model sent. */
interface Prefix {
  readonly next: Map<number, Prefix>;
  /** The cache holds it until this time in milliseconds; negative infinity if it does not. */
  until: number;
  /** The tokens in front of the blocks when it was cached. */
  hidden: number;
}

const newPrefix = (): Prefix => ({ next: new Map(), until: Number.NEGATIVE_INFINITY, hidden: 0 });

/** The path of a prompt: the prefix that ends with each of its blocks. */
interface Path {
  readonly blocks: Uint32Array;
  readonly prefixes: readonly Prefix[];
}

/**
 * Simulates the provider's cache over the prompts of a course, in the order of their times. A prompt reads the longest
 * prefix that an earlier prompt to the same model left and that has not expired, within the provider's minimum and steps.
 * Providers with explicit caching hold only the prefixes that end at a breakpoint, and find them from a breakpoint of the
 * reading request within the lookback. If breakpoints are not recorded, they are taken to be at the end of the system
 * text and tools, and at the end of the prompt.
 * @returns one entry for each prompt of the course
 */
export function simulateCache(course: Course): readonly SimulatedPrompt[] {
  const { session, prompts } = course;
  const roots = new Map<string, Prefix>();
  const paths = new Map<string, Path>();
  const starts = new Map<string, Prefix>();
  const results: SimulatedPrompt[] = prompts.map(() => ({ total: 0, read: 0 }));
  for (const { index, time } of inOrder(course)) {
    const prompt = prompts[index];
    if (prompt === undefined) {
      continue;
    }
    const { request } = prompt;
    const total = promptTokens(course, prompt);
    const model = session.modelOf(request);
    const root = roots.get(model) ?? newPrefix();
    roots.set(model, root);
    const thread = `${model} ${session.threadOf(request)}`;
    const path = pathOf(course, root, prompt.blocks, paths.get(thread));
    paths.set(thread, path);
    const marks = marksOf(course, prompt);
    const start = starts.get(thread) ?? newPrefix();
    starts.set(thread, start);
    if (cachesInput(session, request)) {
      const found = longestRead(course, path, marks, prompt, time);
      const last = path.prefixes[found] ?? (start.until >= time ? start : undefined);
      const read = last === undefined ? 0 : readTokens(course, prompt, found, last.hidden);
      results[index] = { total, read: Math.min(total, read) };
      keep(course, [...keptPrefixes(path, marks, found), start], prompt, time);
    } else {
      results[index] = { total, read: 0 };
    }
  }
  return results;
}

/** The prompts by time. A prompt without one is taken to be sent right after the one before it. */
function inOrder({ session, prompts }: Course): readonly { readonly index: number; readonly time: number }[] {
  let last = 0;
  return prompts
    .map(({ request }, index) => {
      const time = session.columns.requests.timestamp[request] ?? Number.NaN;
      last = Number.isNaN(time) ? last : time;
      return { index, time: last };
    })
    .sort((one, other) => one.time - other.time || one.index - other.index);
}

function pathOf(course: Course, root: Prefix, blocks: Uint32Array, before: Path | undefined): Path {
  const prefixes: Prefix[] = [];
  let at = root;
  let isSame = before !== undefined;
  for (const [place, block] of blocks.entries()) {
    isSame &&= before?.blocks[place] === block;
    const known = isSame ? before?.prefixes[place] : undefined;
    const identity = known === undefined ? identityOf(course, block) : -1;
    const next = known ?? at.next.get(identity) ?? newPrefix();
    if (known === undefined) {
      at.next.set(identity, next);
    }
    prefixes.push(next);
    at = next;
  }
  return { blocks, prefixes };
}

/** Positions of the breakpoints of a prompt; undefined if every prefix is cached. */
function marksOf(course: Course, { request, blocks }: Prompt): readonly number[] | undefined {
  const { session, placement } = course;
  if (session.rowOf(request)?.cache.explicit !== true || placement === 'everywhere') {
    return undefined;
  }
  const head = blocks.findIndex(
    block => course.made.isMade(block) || !isHead(kindOf(session.columns.blocks, block)),
  );
  const recorded = session.marks.get(request);
  const last = blocks.length - 1;
  // The newest breakpoint moves with the end of a changed prompt; the others stand in front of the history.
  const others = recorded?.filter(position => position < Math.max(head, 1)) ?? [head - 1];
  const tail = recorded?.filter(position => position >= Math.max(head, 1)) ?? [];
  const shift = blocks.length - session.lengthOf(request);
  return [
    ...others,
    ...tail.map(position => Math.max(head, position + shift)),
    ...(tail.length > 0 ? [] : [last]),
  ]
    .filter(position => position >= 0 && position <= last)
    .toSorted((one, other) => one - other);
}

const isHead = (kind: string): boolean =>
  kind === 'systemPrompt' || kind === 'toolSchema' || kind === 'structuredOutput';

/** The position of the last block that a prompt reads; -1 for none. */
function longestRead(
  { session }: Course,
  { prefixes }: Path,
  marks: readonly number[] | undefined,
  { request }: Prompt,
  time: number,
): number {
  const isLive = (position: number): boolean =>
    (prefixes[position]?.until ?? Number.NEGATIVE_INFINITY) >= time;
  if (marks === undefined) {
    return prefixes.findLastIndex((_, position) => isLive(position));
  }
  const lookback = session.rowOf(request)?.cache.lookbackBlocks ?? usualLookback;
  // Agents put further breakpoints into long turns, so without a record all of what the last request sent is found.
  const source = session.marks.has(request) ? undefined : session.previousOf(request);
  const reach =
    source === undefined ? lookback : Math.max(lookback, prefixes.length - session.lengthOf(source) + 1);
  for (const mark of marks.toReversed()) {
    for (let position = mark; position > mark - reach && position >= 0; position -= 1) {
      if (isLive(position)) {
        return position;
      }
    }
  }
  return -1;
}

/** Tokens of a prefix of a prompt, and of the part in front of it as far as it was in the cache. */
function readTokens(course: Course, prompt: Prompt, found: number, hidden: number): number {
  let sum = 0;
  for (let position = 0; position <= found; position += 1) {
    sum += blockTokens(course, prompt.blocks[position] ?? 0);
  }
  return readableTokens(
    course.session,
    prompt.request,
    Math.min(prompt.hidden, hidden) + sum * course.session.tokens.scale(prompt.request),
  );
}

/** The prefixes that a prompt writes, and the one that it reads, which lives on. */
function keptPrefixes(
  { prefixes }: Path,
  marks: readonly number[] | undefined,
  found: number,
): readonly Prefix[] {
  return marks === undefined ? prefixes : [...marks, found].flatMap(place => prefixes[place] ?? []);
}

function keep(
  { session, lifetime }: Course,
  prefixes: readonly Prefix[],
  { request, hidden }: Prompt,
  time: number,
): void {
  const seconds = lifetime ?? session.lifetimeOf(request);
  const until = seconds === undefined ? Number.POSITIVE_INFINITY : time + seconds * 1000;
  for (const prefix of prefixes) {
    prefix.until = Math.max(prefix.until, until);
    prefix.hidden = hidden;
  }
}
