import { tokens } from '../base/countWords';
import { formatMoney } from '../base/format';
import { translate } from '../base/translate';
import { figure } from '../tokens/qualityWords';
import { wasteKindWords } from '../waste/wasteKindWords';
import type { ClearingKind } from './budget';
import type { HandOffReason } from './fitting';
import type { Manifest, ManifestBlock } from './manifest';
import { targetFacts } from './targets';

/** Why a block is not carried as it is. */
const reasonWords: Readonly<Record<HandOffReason, string>> = {
  nearestTool: translate('calls of a tool of the other agent'),
  toolAsText: translate('as text: the other agent has no such tool'),
  pruned: translate('pruned'),
  summarised: translate('a summary of what was before'),
  opening: translate('added, because a session begins with the user'),
  ownPrompt: translate('the other agent sends its own prompt'),
  ownTools: translate('the other agent sends its own tools'),
  ownNotes: translate('notes of the agent about itself'),
  ownMemory: translate('instruction files, which the other agent reads itself'),
  reasoning: translate('reasoning, which no other provider accepts'),
  picture: translate('images in a form that the other agent does not keep'),
  providerForm: translate('content that only its provider understands'),
  empty: translate('without text'),
};

const clearingWords: Readonly<Record<ClearingKind, string>> = {
  ...wasteKindWords,
  old: translate('Older results'),
};

/** How to change what the manifest shows, one sentence each; absent where there is no way. */
export interface ManifestHints {
  /** To name the model of the figures. */
  readonly model?: string;
  /** To hand off less. */
  readonly less?: string;
}

/** The manifest for people. */
export function manifestLines(manifest: Manifest, hints: ManifestHints = {}): readonly string[] {
  const {
    target,
    version,
    model,
    own,
    blocks,
    lost,
    budget,
    summary,
    tokens: total,
    window,
    cost,
    notes,
  } = manifest;
  const { agent } = targetFacts[target];
  const sum = (chosen: readonly ManifestBlock[]): number =>
    chosen.reduce((before, block) => before + block.tokens, 0);
  const carried = blocks.filter(({ fate }) => fate === 'carried');
  const converted = blocks.filter(({ fate }) => fate === 'converted');
  const reasons = [...new Set(converted.flatMap(({ reason }) => reason ?? []))];
  return [
    translate('First request of {0} after the hand-off (checked with version {1}):', agent, version),
    own === null
      ? `  ${translate('prompt and tools of {0}: not measured', agent)}`
      : `  ${translate('prompt and tools of {0}: {1} (measured with version {2})', agent, tokens(own.tokens), own.version)}`,
    `  ${translate('as they are: {0, plural, one {# block} other {# blocks}}, {1}', carried.length, tokens(sum(carried)))}`,
    ...reasons.map(reason => {
      const chosen = converted.filter(block => block.reason === reason);
      return `  ${translate('converted: {0, plural, one {# block} other {# blocks}}, {1} ({2})', chosen.length, tokens(sum(chosen)), reasonWords[reason])}`;
    }),
    ...lost.map(
      ({ reason, blocks: numbers, tokens: size }) =>
        `  ${translate('lost: {0, plural, one {# block} other {# blocks}}, {1} ({2})', numbers.length, tokens(size), reasonWords[reason])}`,
    ),
    ...(budget?.cleared ?? []).map(
      ({ kind, blocks: numbers, tokens: size }) =>
        `  ${translate('pruned for the budget: {0, plural, one {# block} other {# blocks}}, {1} ({2})', numbers.length, tokens(size), clearingWords[kind])}`,
    ),
    ...(summary === null ? [] : [`  ${summaryLine(summary, model)}`]),
    translate('Total: {0}, and your next prompt', figure(total)),
    model === null
      ? sentences(
          translate('Cost: not known, because it is not known which model {0} will use.', agent),
          hints.model,
        )
      : cost === null
        ? translate('Cost: no known list price for {0}', model)
        : translate(
            'Cost of its input at list prices of {0}: {1} with an empty cache, {2} if all of it is cached',
            model,
            formatMoney(cost.cold),
            formatMoney(cost.warm),
          ),
    ...(budget !== null && budget.exceededBy > 0
      ? [
          translate(
            'The budget of {0} is exceeded by {1}: prompts, replies, calls, the newest results and what edits rest on stay.',
            tokens(budget.tokens),
            tokens(budget.exceededBy),
          ),
        ]
      : []),
    ...(window !== null && total.value > window
      ? [
          sentences(
            translate(
              'This is more than the window of {0}, {1}: {2} will shorten it or fail.',
              model ?? '',
              tokens(window),
              agent,
            ),
            hints.less,
          ),
        ]
      : []),
    ...notes,
  ];
}

function summaryLine(
  { blocks, tokens: before, call }: NonNullable<Manifest['summary']>,
  model: string | null,
): string {
  const replaced = translate(
    'summarised: {0, plural, one {# block} other {# blocks}}, {1}',
    blocks,
    tokens(before),
  );
  return call.cost === null || model === null
    ? translate('{0}; the call for it has {1} of input', replaced, tokens(call.tokens))
    : translate(
        '{0}; the call for it has {1} of input, {2} at list prices of {3}',
        replaced,
        tokens(call.tokens),
        formatMoney(call.cost),
        model,
      );
}

const sentences = (first: string, second: string | undefined): string =>
  second === undefined ? first : `${first} ${second}`;
