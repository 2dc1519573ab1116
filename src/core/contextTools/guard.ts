import { formatDuration, formatMoney, formatNumber, formatShare } from '../base/format';
import { stringAt } from '../base/json';
import { describeAge } from '../finder/sessionText';
import { assertNever } from '../model/labels';
import type { NextRequest } from './nextRequest';

/** What an agent is about to do. */
export type GuardedAct =
  | { readonly kind: 'prompt'; readonly model?: string }
  | { readonly kind: 'tool' }
  | { readonly kind: 'compaction' }
  | { readonly kind: 'modelSwitch'; readonly model?: string };

/**
 * The act that a hook of Claude Code or Codex tells of; undefined for any other event. Sources:
 * https://code.claude.com/docs/en/hooks and https://developers.openai.com/codex/hooks.
 */
export function guardedAct(input: unknown): GuardedAct | undefined {
  const model = stringAt(input, 'to_model') ?? stringAt(input, 'new_model') ?? stringAt(input, 'model');
  const named = model === undefined ? {} : { model };
  const acts = new Map<string, GuardedAct>([
    ['UserPromptSubmit', { kind: 'prompt', ...named }],
    ['PreToolUse', { kind: 'tool' }],
    ['PreCompact', { kind: 'compaction' }],
    ['PreModelSwitch', { kind: 'modelSwitch', ...named }],
  ]);
  return acts.get(stringAt(input, 'hook_event_name') ?? '');
}

/** The state of a session before the act. */
export interface GuardedSession {
  readonly next: NextRequest;
  /** The model of the newest request; empty if it is not recorded. */
  readonly model: string;
  /** Context window in tokens. */
  readonly window: number | undefined;
}

/** Warnings below these are left out. */
export const guardThresholds = {
  /** US dollars that an act costs more than it would with a warm cache. */
  money: 0.05,
  /** Share of the window. */
  fill: 0.9,
};

export interface GuardWarning {
  readonly kind: 'cold' | 'model' | 'full' | 'compaction';
  /** A warning of a kind is given once while this stays the same. */
  readonly state: string;
  readonly sentence: string;
  /** US dollars that the act costs more than with a warm cache; 0 if it is not about money. */
  readonly money: number;
}

/**
 * What an act would cost, if that is worth a word; undefined otherwise.
 * @param now milliseconds since 1970
 */
export function guardWarning(
  act: GuardedAct,
  { next, model, window }: GuardedSession,
  now: number,
): GuardWarning | undefined {
  const { tokens, readable, warm, cold, coldAt } = next;
  const more = warm === undefined || cold === undefined ? 0 : cold - warm;
  const isCold = coldAt !== undefined && coldAt <= now;
  const isDear = more >= guardThresholds.money && readable > 0;
  switch (act.kind) {
    case 'prompt':
      if (isDear && act.model !== undefined && model !== '' && act.model !== model) {
        return switched(next, more, now);
      }
      return isDear && isCold
        ? {
            kind: 'cold',
            state: String(coldAt),
            money: more,
            sentence: `The cache probably expired ${describeAge(now, coldAt)} ago: this prompt pays ${formatMoney(cold ?? 0)} for ${formatNumber(tokens)} tokens of context, instead of ${formatMoney(warm ?? 0)}.`,
          }
        : undefined;
    case 'modelSwitch':
      return isDear && !isCold ? switched(next, more, now) : undefined;
    case 'compaction':
      return isDear && isCold
        ? {
            kind: 'compaction',
            state: String(coldAt),
            money: more,
            sentence: `The cache probably expired ${describeAge(now, coldAt)} ago: this compaction pays ${formatMoney(cold ?? 0)} to read ${formatNumber(tokens)} tokens again.`,
          }
        : undefined;
    case 'tool':
      return window !== undefined && tokens >= guardThresholds.fill * window
        ? {
            kind: 'full',
            // Again when the next twentieth is full.
            state: String(Math.floor((20 * tokens) / window)),
            money: 0,
            sentence: `The context is ${formatShare(tokens / window)} full: ${formatNumber(Math.max(0, window - tokens))} tokens are left.`,
          }
        : undefined;
    default:
      return assertNever(act);
  }
}

/** Another model reads nothing of the cache. The price is that of the present one. */
function switched({ tokens, cold, coldAt }: NextRequest, money: number, now: number): GuardWarning {
  const rewrite = `Another model writes ${formatNumber(tokens)} tokens again: about ${formatMoney(cold ?? 0)} at this model’s prices.`;
  const isWarm = coldAt !== undefined && coldAt > now;
  return {
    kind: 'model',
    state: String(coldAt),
    money,
    sentence: isWarm
      ? `${rewrite} The cache is warm for another ${formatDuration((coldAt - now) / 1000)}.`
      : rewrite,
  };
}
