import { formatDuration, formatMoney, formatNumber, formatShare } from '../base/format';
import { defined } from '../base/defined';
import { stringAt } from '../base/json';
import { describeAge } from '../finder/sessionText';
import { assertNever } from '../model/labels';
import type { NextRequest } from './nextRequest';

/** An act that an agent announces. */
export type GuardedAct =
  | { readonly kind: 'prompt'; readonly model?: string }
  | { readonly kind: 'tool' }
  | { readonly kind: 'compaction' }
  | { readonly kind: 'modelSwitch'; readonly model: string };

/**
 * The act that a hook of Claude Code or Codex tells of; undefined for any other event. Only Codex names the model of a
 * prompt, and only Claude Code, since 2.1.251, announces a switch. Sources: https://code.claude.com/docs/en/hooks and
 * https://developers.openai.com/codex/hooks.
 */
export function guardedAct(input: unknown): GuardedAct | undefined {
  switch (stringAt(input, 'hook_event_name') ?? '') {
    case 'UserPromptSubmit':
      return { kind: 'prompt', ...defined({ model: stringAt(input, 'model') }) };
    case 'PreToolUse':
      return { kind: 'tool' };
    case 'PreCompact':
      return { kind: 'compaction' };
    case 'PreModelSwitch':
      return { kind: 'modelSwitch', model: stringAt(input, 'to_model') ?? '' };
    default:
      return undefined;
  }
}

/** The state of a session before the act. */
export interface GuardedSession {
  readonly next: NextRequest;
  /** The model of the newest request; empty if it is not recorded. */
  readonly model: string;
  /** Context window in tokens. */
  readonly window: number | undefined;
  /** US dollars of the next request's input with another model; undefined if no price is known. */
  readonly costWith: (model: string) => number | undefined;
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
 * A warning about the cost of an act; undefined if it costs little more than it must.
 * @param now milliseconds since 1970
 */
export function guardWarning(
  act: GuardedAct,
  session: GuardedSession,
  now: number,
): GuardWarning | undefined {
  const { next, window } = session;
  const { tokens, readable, warm, cold, coldAt } = next;
  const more = warm === undefined || cold === undefined ? 0 : cold - warm;
  const isCold = coldAt !== undefined && coldAt <= now;
  const isDear = more >= guardThresholds.money && readable > 0;
  switch (act.kind) {
    case 'prompt':
      return isDear && act.model !== undefined && isOther(act.model, session)
        ? switched(session, act.model, now)
        : isDear && isCold
          ? {
              kind: 'cold',
              state: String(coldAt),
              money: more,
              sentence: `The cache probably expired ${describeAge(now, coldAt)} ago: this prompt pays ${formatMoney(cold ?? 0)} for ${formatNumber(tokens)} tokens of context, instead of ${formatMoney(warm ?? 0)}.`,
            }
          : undefined;
    case 'modelSwitch':
      return isDear && !isCold && isOther(act.model, session) ? switched(session, act.model, now) : undefined;
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

const isOther = (named: string, { model }: GuardedSession): boolean =>
  named !== '' && model !== '' && named !== model;

/** Another model reads nothing of the cache. */
function switched({ next, costWith }: GuardedSession, model: string, now: number): GuardWarning {
  const { tokens, warm = 0, coldAt } = next;
  const cost = costWith(model);
  const price = cost === undefined ? 'for an unknown price' : `for about ${formatMoney(cost)}`;
  const rewrite = `Another model writes ${formatNumber(tokens)} tokens again, ${price} instead of ${formatMoney(warm)}.`;
  const isWarm = coldAt !== undefined && coldAt > now;
  return {
    kind: 'model',
    state: `${coldAt} ${model}`,
    money: Math.max(0, (cost ?? 0) - warm),
    sentence: isWarm
      ? `${rewrite} The cache is warm for another ${formatDuration((coldAt - now) / 1000)}.`
      : rewrite,
  };
}
