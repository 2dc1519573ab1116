import { breakdown, type BreakdownNode } from '../../src/core/breakdown/breakdown';
import type { Session } from '../../src/core/model/columns';
import { recordedInput, RequestTokens } from '../../src/core/view/requestTokens';
import { openedFiles } from '../../test/fixtures/openedSamples';

/** The difference between the parts of a breakdown and its total, which must be 0. Tokens. */
export interface Remainders {
  /** Nodes with children that are not their sum, in any of their figures. */
  readonly unequal: number;
  /** The largest distance of a root from its request's input. */
  readonly request: number;
  /** The distance of what is carried from the recorded input of all requests. */
  readonly session: number;
}

const requestsLookedAt = 5;

/** A line for each transcript among the files. */
export async function* breakdownLines(files: readonly string[]): AsyncGenerator<string> {
  for await (const { file, session } of openedFiles(files)) {
    const { unequal, request, session: all } = remaindersOf(session);
    yield `${file}: requests ${request}, session ${all}, levels that do not add up ${unequal}`;
  }
}

/** Looks at the breakdown of five requests and of all. */
export function remaindersOf(session: Session): Remainders {
  const { columns } = session;
  const numbers = [...columns.requests.context.keys()];
  const chosen = Array.from({ length: requestsLookedAt }, (_, index) =>
    Math.round((index * (numbers.length - 1)) / (requestsLookedAt - 1)),
  );
  const tokens = new RequestTokens(columns);
  const recorded = numbers.map(request => recordedInput(columns, request));
  const isRecorded = recorded.some(input => input !== undefined);
  const whole = breakdown(session, undefined);
  const input = numbers.reduce(
    (sum, request) => sum + (isRecorded ? (recorded[request] ?? 0) : tokens.total(request)),
    0,
  );
  const parts = new Set(numbers.length === 0 ? [] : chosen).values();
  const ofRequests = [...parts].map(request => ({ request, found: breakdown(session, request) }));
  return {
    unequal: [whole, ...ofRequests.map(({ found }) => found)].reduce(
      (sum, { root }) => sum + unequalNodes(root),
      0,
    ),
    request: Math.max(
      0,
      ...ofRequests.map(({ request, found }) => Math.abs(found.root.tokens - tokens.total(request))),
    ),
    session: Math.abs(whole.root.carried.cached + whole.root.carried.fresh - input),
  };
}

function unequalNodes({ children, tokens, carried, blocks }: BreakdownNode): number {
  const below = children.reduce((sum, child) => sum + unequalNodes(child), 0);
  const sum = (value: (child: BreakdownNode) => number): number =>
    children.reduce((total, child) => total + value(child), 0);
  const isEqual =
    children.length === 0 ||
    (sum(child => child.tokens) === tokens &&
      sum(child => child.carried.cached) === carried.cached &&
      sum(child => child.carried.fresh) === carried.fresh &&
      sum(child => child.blocks) === blocks);
  return below + (isEqual ? 0 : 1);
}
