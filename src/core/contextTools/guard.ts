import { formatDuration, formatMoney, formatNumber, formatShare } from '../base/format';
import { defined } from '../base/defined';
import { member, numberAt, optionalCountAt, stringAt } from '../base/json';
import { describeAge } from '../finder/sessionText';
import { assertNever } from '../model/labels';
import { isSameModel } from '../model/requestBlocks';
import type { ModelInput, NextRequest } from './nextRequest';

/** An act that an agent announces. `model` is the one that it will use, if the agent names it. */
export type GuardedAct =
  | { readonly kind: 'prompt' | 'compaction'; readonly model?: string }
  | { readonly kind: 'tool' }
  | { readonly kind: 'modelSwitch'; readonly model: string }
  | {
      readonly kind: 'resume';
      /** The agent's own figures for the first request, in tokens and US dollars. */
      readonly tokens?: number;
      readonly cost?: number;
      readonly isCold?: boolean;
    };

/**
 * The act that a hook of Claude Code or Codex tells of; undefined for any other event. Only Codex names the model of a
 * prompt, and only Claude Code, since 2.1.251, announces a switch and says what a resumed session costs. Sources:
 * https://code.claude.com/docs/en/hooks and https://developers.openai.com/codex/hooks.
 */
export function guardedAct(input: unknown): GuardedAct | undefined {
  const model = stringAt(input, 'model');
  switch (stringAt(input, 'hook_event_name') ?? '') {
    case 'UserPromptSubmit':
      return { kind: 'prompt', ...defined({ model }) };
    case 'PreToolUse':
      return { kind: 'tool' };
    case 'PreCompact':
      return { kind: 'compaction', ...defined({ model }) };
    case 'PreModelSwitch':
      return { kind: 'modelSwitch', model: stringAt(input, 'to_model') ?? '' };
    case 'SessionStart':
      return isResumed(stringAt(input, 'source')) ? resumeOf(input) : undefined;
    default:
      return undefined;
  }
}

const isResumed = (source: string | undefined): boolean =>
  source === undefined || source === 'resume' || source === 'fork';

function resumeOf(input: unknown): GuardedAct {
  const isExpired = member(input, 'prompt_cache_likely_expired');
  return {
    kind: 'resume',
    ...defined({
      tokens: optionalCountAt(input, 'context_tokens'),
      cost: numberAt(input, 'estimated_cache_write_usd'),
      isCold: typeof isExpired === 'boolean' ? isExpired : undefined,
    }),
  };
}

/** The state of a session before the act. */
export interface GuardedSession {
  readonly next: NextRequest;
  /** The model of the newest request; empty if it is not recorded. */
  readonly model: string;
  /** Context window in tokens. */
  readonly window: number | undefined;
  /** The next request if it goes to another model. */
  readonly inputTo: (model: string) => ModelInput;
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
 * @param session undefined if it cannot be read; then only what the agent says is known
 * @param now milliseconds since 1970
 */
export function guardWarning(
  act: GuardedAct,
  session: GuardedSession | undefined,
  now: number,
): GuardWarning | undefined {
  if (act.kind === 'resume') {
    return resumed(act, session, now);
  }
  if (session === undefined) {
    return undefined;
  }
  switch (act.kind) {
    case 'prompt':
      return switched(session, act.model, now) ?? paidCold('cold', session, act.model, now);
    case 'modelSwitch':
      return switched(session, act.model, now);
    case 'compaction':
      return paidCold('compaction', session, act.model, now);
    case 'tool':
      return filled(session);
    default:
      return assertNever(act);
  }
}

function filled({ next: { tokens }, window }: GuardedSession): GuardWarning | undefined {
  return window !== undefined && tokens >= guardThresholds.fill * window
    ? {
        kind: 'full',
        // Again when the next twentieth is full.
        state: String(Math.floor((20 * tokens) / window)),
        money: 0,
        sentence: `The context is ${formatShare(tokens / window)} full: ${formatNumber(Math.max(0, window - tokens))} tokens are left.`,
      }
    : undefined;
}

const isOther = (named: string | undefined, { model }: GuardedSession): named is string =>
  named !== undefined && named !== '' && model !== '' && !isSameModel(named, model);

const isWarm = ({ readable, coldAt }: ModelInput, now: number): boolean =>
  readable > 0 && coldAt !== undefined && coldAt > now;

/** The cost of the next request if it is sent now, in US dollars. */
const costNow = (input: ModelInput, now: number): number | undefined =>
  isWarm(input, now) ? input.warm : input.cold;

/** A prompt or a compaction after the cache has expired, with the prices of the model that it goes to. */
function paidCold(
  kind: 'cold' | 'compaction',
  session: GuardedSession,
  named: string | undefined,
  now: number,
): GuardWarning | undefined {
  const { next } = session;
  const { tokens, readable, coldAt, warm = 0 } = next;
  const cost = isOther(named, session) ? costNow(session.inputTo(named), now) : next.cold;
  const money = cost === undefined || next.warm === undefined ? 0 : cost - warm;
  if (coldAt === undefined || coldAt > now || readable === 0 || money < guardThresholds.money) {
    return undefined;
  }
  const since = `The cache probably expired ${describeAge(now, coldAt)} ago`;
  const pays = formatMoney(cost ?? 0);
  return {
    kind,
    state: String(coldAt),
    money,
    sentence:
      kind === 'cold'
        ? `${since}: this prompt pays ${pays} for ${formatNumber(tokens)} tokens of context, instead of ${formatMoney(warm)}.`
        : `${since}: this compaction pays ${pays} to read ${formatNumber(tokens)} tokens again.`,
  };
}

/** Another model reads nothing of this model's cache, and pays its own prices. It may still have a cache of its own. */
function switched(session: GuardedSession, named: string | undefined, now: number): GuardWarning | undefined {
  if (!isOther(named, session)) {
    return undefined;
  }
  const { next } = session;
  const cost = costNow(session.inputTo(named), now);
  const stays = costNow(next, now);
  if (cost === undefined || stays === undefined || cost - stays < guardThresholds.money) {
    return undefined;
  }
  const { tokens, coldAt } = next;
  const rewrite = `Another model writes ${formatNumber(tokens)} tokens again, for about ${formatMoney(cost)} instead of ${formatMoney(stays)}.`;
  return {
    kind: 'model',
    state: `${coldAt} ${named}`,
    money: cost - stays,
    sentence:
      coldAt !== undefined && coldAt > now
        ? `${rewrite} The cache is warm for another ${formatDuration((coldAt - now) / 1000)}.`
        : rewrite,
  };
}

/** A session that is resumed after its cache has expired. The agent's own figures come first. */
function resumed(
  { tokens, cost, isCold }: Extract<GuardedAct, { kind: 'resume' }>,
  session: GuardedSession | undefined,
  now: number,
): GuardWarning | undefined {
  if (isCold === undefined || cost === undefined || tokens === undefined) {
    return session === undefined ? undefined : paidCold('cold', session, undefined, now);
  }
  const { warm = 0, coldAt } = session?.next ?? {};
  const money = cost - warm;
  return isCold && money >= guardThresholds.money
    ? {
        kind: 'cold',
        // The same as that of a prompt, which says nothing new.
        state: coldAt === undefined ? `${tokens}` : String(coldAt),
        money,
        sentence: `The cache of this session has probably expired: its next prompt pays about ${formatMoney(cost)} for ${formatNumber(tokens)} tokens of context${warm > 0 ? `, instead of ${formatMoney(warm)}` : ''}.`,
      }
    : undefined;
}
