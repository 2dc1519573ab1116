import * as v from 'valibot';
import { defined } from '../base/defined';
import { hashDigits } from '../model/contentHash';
import type { TranscriptSession } from '../session/transcriptSession';
import { breakdownPairs } from './breakdownPairs';
import { describeSide } from './comparedSide';
import { type Comparison, comparisonSchema } from './comparison';
import { differencesOf } from './found';
import { ProjectPaths } from './projectPaths';
import { comparePrompts } from './promptComparison';
import { Side } from './side';
import { thingsOf } from './things';

/**
 * A counted and scanned session, with the index of one of its requests. Without a request, the whole session is
 * compared.
 */
export interface Compared {
  readonly session: TranscriptSession;
  readonly request: number | undefined;
}

/** Compares two sessions, or a request of each, side by side. Credentials are removed from all names and texts. */
export async function compareSessions(first: Compared, second: Compared): Promise<Comparison> {
  const folders = [first, second].map(({ session }) => session.transcript.workingDirectory ?? '');
  const isBelow = folders.every(folder => folder !== '');
  const [one, other] = [
    new Side(first.session, first.request, new ProjectPaths(folders[0] ?? '', isBelow)),
    new Side(second.session, second.request, new ProjectPaths(folders[1] ?? '', isBelow)),
  ];
  const both = [one, other] as const;
  const [left, right] = [await thingsOf(one), await thingsOf(other)];
  const hasTools = (side: Side, tools: ReadonlyMap<string, unknown>): boolean =>
    tools.size > 0 || side.isComplete;
  const comparison: Comparison = {
    sides: [await describeSide(one), await describeSide(other)],
    prompt: await comparePrompts(both),
    lists: {
      tools: differencesOf(
        both,
        [left.tools, right.tools],
        [hasTools(one, left.tools.things), hasTools(other, right.tools.things)],
      ),
      called: differencesOf(both, [left.called, right.called]),
      memory: differencesOf(both, [left.memory, right.memory]),
      skills: differencesOf(both, [left.skills, right.skills]),
      read: differencesOf(both, [left.read, right.read]),
      edited: differencesOf(both, [left.edited, right.edited]),
      programs: differencesOf(both, [left.programs, right.programs]),
      commands: differencesOf(both, [left.commands, right.commands]),
    },
    breakdown: breakdownPairs(both),
    mapped: folders[0] !== folders[1] && both.every(({ paths }) => paths.isUsed),
    ...defined({ common: commonPrefix(both) }),
  };
  return withoutCredentials(comparison, both);
}

/** The leading blocks of two requests that have the same contents. */
function commonPrefix([one, other]: readonly [Side, Side]): Comparison['common'] {
  const [left, right] = [one.view, other.view];
  if (one.request === undefined || other.request === undefined || left === undefined || right === undefined) {
    return undefined;
  }
  const formAt = ({ columns: { blocks } }: Side, block = -1): string =>
    hashDigits(blocks.hashHigh[block], blocks.hashLow[block]);
  const shorter = Math.min(left.blocks.length, right.blocks.length);
  let count = 0;
  while (count < shorter && formAt(one, left.blocks[count]) === formAt(other, right.blocks[count])) {
    count += 1;
  }
  const figure = (side: Side, offsets: Uint32Array) =>
    side.figureOf([...side.shownBlocks.subarray(0, count)], (offsets[count] ?? 0) - (offsets[0] ?? 0));
  return { blocks: count, tokens: [figure(one, left.offsets), figure(other, right.offsets)] };
}

/** A secret found in a text is also removed from names and commands, where its context is missing. */
async function withoutCredentials(comparison: Comparison, sides: readonly Side[]): Promise<Comparison> {
  const [first] = sides;
  const gate = first?.session.openGate({ takesOut: 'credentials' });
  if (gate === undefined) {
    return comparison;
  }
  for (const { session, columns } of sides) {
    const found = [...columns.blocks.findings.keys()].filter(
      block => (columns.blocks.findings[block] ?? 0) > 0 && !session.isImage(block),
    );
    for await (const { text } of session.textsOf(found)) {
      await gate.learn(text);
    }
  }
  return v.parse(comparisonSchema, await gate.value(comparison));
}
