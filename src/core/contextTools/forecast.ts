import * as v from 'valibot';
import { describeAge } from '../finder/sessionText';
import { formatDuration, formatMoney, formatNumber } from '../base/format';
import { CacheSession } from '../cache/cacheSession';
import type { Session } from '../model/columns';
import { assertNever } from '../model/labels';
import { defaultPruneOptions } from '../model/pruneConfig';
import { pruneNet } from '../prune/net';
import { prunePreview } from '../prune/prunePreview';
import type { TranscriptSession } from '../session/transcriptSession';
import { compactionDiffs } from '../view/compactionDiff';
import { figureTokens } from '../tokens/qualityWords';
import { buildRequestView } from '../view/requestView';
import { commonParams, contextTool, longestName, ToolError } from './contextTool';
import { inputTo, type NextRequest, nextRequest } from './nextRequest';
import { recorded } from './recordedText';

const changes = ['none', 'model', 'tools', 'prune', 'compaction'] as const;

export const forecast = contextTool({
  name: 'forecast',
  title: 'Forecast',
  description:
    'Input cost of your next request, cache warm and cold; or after a change: another model, tools (MCP), pruning, compaction.',
  params: {
    change: v.optional(v.picklist(changes)),
    model: v.optional(
      v.pipe(v.string(), v.maxLength(longestName), v.description('New model, for change: model')),
    ),
    session: commonParams.session,
  },
  answer: async ({ change = 'none', model, session: wanted }, { open, now }) => {
    const { session, conversation } = await open(wanted);
    const next = nextRequest(session.toSession(), conversation);
    if (next === undefined) {
      return [
        'Nothing can be said of the next request: no request has recorded usage, or what is left is not known.',
      ];
    }
    return [
      `Next request: about ${formatNumber(next.tokens)} tokens of input, of which ${formatNumber(next.readable)} can be read from the cache; new prompts and results come on top.`,
      ...(next.isEstimated
        ? [
            'The newest request has no recorded usage, so the tokens are estimated, and the cache is that of the last one with usage.',
          ]
        : []),
      ...costLines(next, now()),
      ...changed(change, session, next, model, now()),
    ];
  },
});

function changed(
  change: (typeof changes)[number],
  session: TranscriptSession,
  next: NextRequest,
  model: string | undefined,
  now: number,
): readonly string[] {
  switch (change) {
    case 'none':
      return [];
    case 'model':
      return afterModel(session, next, model, now);
    case 'tools':
      return [
        `Changed tools come before everything else, so the whole input is written again: ${money(next.cold)} instead of ${money(next.warm)}.`,
      ];
    case 'prune':
      return afterPrune(session.toSession(), next);
    case 'compaction':
      return afterCompaction(session.toSession(), next);
    default:
      return assertNever(change);
  }
}

const money = (dollars: number | undefined): string =>
  dollars === undefined ? 'price not known' : formatMoney(dollars);

function costLines({ warm, cold, coldAt }: NextRequest, now: number): readonly string[] {
  const costs = `Input cost at list prices: ${money(warm)} warm, ${money(cold)} cold.`;
  if (coldAt === undefined) {
    return [costs, 'The lifetime of the cache is not known.'];
  }
  return [
    costs,
    coldAt > now
      ? `The cache is probably warm for another ${formatDuration((coldAt - now) / 1000)}.`
      : `The cache probably expired ${describeAge(now, coldAt)} ago.`,
  ];
}

function afterModel(
  session: TranscriptSession,
  next: NextRequest,
  model: string | undefined,
  now: number,
): readonly string[] {
  if (model === undefined) {
    throw new ToolError('Name the new model: model.');
  }
  const row = session.modelRow(model);
  const own = session.modelRow(session.transcript.requests[next.after]?.model ?? '');
  const { readable, coldAt, warm, cold } = inputTo(session.toSession(), next, model, row);
  const isWarm = readable > 0 && coldAt !== undefined && coldAt > now;
  return [
    isWarm
      ? `An earlier request left ${formatNumber(readable)} tokens in the cache of ${recorded(model)}: ${money(warm)} instead of ${money(next.warm)}.`
      : `Another model reads nothing of the cache: ${money(cold)} with ${recorded(model)} instead of ${money(next.warm)}.`,
    ...(row !== undefined && row.family !== own?.family
      ? ['Another family of models counts the same text differently, so the tokens are an estimate.']
      : []),
  ];
}

function afterPrune(opened: Session, { after }: NextRequest): readonly string[] {
  const { columns } = opened;
  const options = defaultPruneOptions();
  const view = buildRequestView(columns, after);
  const session = new CacheSession(opened);
  const { tokensFreed, tokensRewritten, worth } = pruneNet(
    session,
    view,
    prunePreview(columns, view, options),
    options,
  );
  if (tokensFreed === 0) {
    return [`Pruning with the rule set ${options.ruleSet} would free nothing.`];
  }
  const costs =
    worth === undefined
      ? 'Its price is not known.'
      : `It costs ${formatMoney(worth.rewrite.money)} once and saves ${formatMoney(worth.savedWarm.money)} in each later request${worth.breakEven === undefined ? '' : `, so it pays back after ${formatNumber(worth.breakEven)} requests`}.`;
  return [
    `Pruning with the rule set ${options.ruleSet} would free ${formatNumber(tokensFreed)} tokens and write ${formatNumber(tokensRewritten)} again. ${costs}`,
  ];
}

function afterCompaction(
  session: Session,
  { conversation, tokens, warm, cold }: NextRequest,
): readonly string[] {
  const { summary } = session;
  const left = compactionDiffs(session).findLast(
    ({ kind, compaction }) =>
      kind === 'compaction' && summary.compactions[compaction]?.thread === conversation,
  )?.tokensAfter;
  const asked = `The compaction itself reads the whole context: ${money(warm)} warm, ${money(cold)} cold, and its summary as output.`;
  if (left === undefined || cold === undefined || tokens === 0) {
    return [
      asked,
      'No earlier compaction of this session shows what is left, so the request after it has no price.',
    ];
  }
  const share = left.value / tokens;
  return [
    asked,
    `The request after the last one had ${figureTokens(left)}: as much again costs at most ${money(cold * share)} once, and then ${money((warm ?? cold) * share)} while warm.`,
  ];
}
