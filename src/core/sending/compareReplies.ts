import { canonicalJson } from '../base/canonicalJson';
import type { ConversationPart } from '../model/conversation';

/** A call of one reply and the call at the same index in the other. */
export interface ComparedCall {
  readonly first: { readonly name: string; readonly input: unknown } | undefined;
  readonly second: { readonly name: string; readonly input: unknown } | undefined;
  /** `arguments`: the same tool with different arguments. */
  readonly difference: 'none' | 'arguments' | 'name' | 'missing';
}

export interface ComparedReplies {
  /** True if both replies make the same calls with the same arguments, or neither makes any. */
  readonly isSameAction: boolean;
  /** True if the same tools are called in the same order, whatever their arguments. */
  readonly isSameTools: boolean;
  readonly calls: readonly ComparedCall[];
  /** The texts of each reply without thinking, for a diff. */
  readonly texts: readonly [first: string, second: string];
}

/** Compares two replies to the same request. Arguments are compared by value, not by spelling. */
export function compareReplies(
  first: readonly ConversationPart[],
  second: readonly ConversationPart[],
): ComparedReplies {
  const [firstCalls, secondCalls] = [callsOf(first), callsOf(second)];
  const calls = Array.from({ length: Math.max(firstCalls.length, secondCalls.length) }, (_, index) =>
    compareCalls(firstCalls[index], secondCalls[index]),
  );
  return {
    isSameAction: calls.every(({ difference }) => difference === 'none'),
    isSameTools: calls.every(({ difference }) => difference === 'none' || difference === 'arguments'),
    calls,
    texts: [textOf(first), textOf(second)],
  };
}

type Call = NonNullable<ComparedCall['first']>;

function callsOf(parts: readonly ConversationPart[]): readonly Call[] {
  return parts.flatMap(part => (part.kind === 'call' ? [{ name: part.name, input: part.input }] : []));
}

function compareCalls(first: Call | undefined, second: Call | undefined): ComparedCall {
  if (first === undefined || second === undefined) {
    return { first, second, difference: 'missing' };
  }
  if (first.name !== second.name) {
    return { first, second, difference: 'name' };
  }
  return {
    first,
    second,
    difference: canonicalJson(first.input) === canonicalJson(second.input) ? 'none' : 'arguments',
  };
}

/** The texts of a reply without thinking. */
export function textOf(parts: readonly ConversationPart[]): string {
  return parts.flatMap(part => (part.kind === 'text' ? [part.text] : [])).join('\n\n');
}
