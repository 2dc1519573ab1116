import { isRecord } from '../base/jsonValue';
import { translate } from '../base/translate';

/** The rule sets that decide which results are pruned. `duplicates` is this program's own. */
export const pruneRuleSets = ['opencode', 'katu', 'oh-my-pi', 'microcompact', 'duplicates'] as const;
export type PruneRuleSet = (typeof pruneRuleSets)[number];

/** The replacement of a pruned output: only the rule set's notice, or the output's beginning and a notice. */
export const pruneReplacements = ['clear', 'truncate'] as const;
export type PruneReplacement = (typeof pruneReplacements)[number];

/**
 * How outputs are measured: by a tokenizer, or by the rule set's own estimate, a quarter of the UTF-16 units (opencode,
 * microcompact, duplicates) or UTF-8 bytes (katu, oh-my-pi).
 */
export const pruneMeasures = ['tokens', 'chars4'] as const;
export type PruneMeasure = (typeof pruneMeasures)[number];

function choice<Value extends string>(values: readonly Value[], usual: Value) {
  return {
    kind: 'choice',
    values,
    usual,
    expected: translate('one of {0}', values.map(value => `"${value}"`).join(', ')),
    is: (value: unknown): value is Value => values.some(other => other === value),
  } as const;
}

function toggle(usual: boolean) {
  return {
    kind: 'toggle',
    usual,
    expected: translate('true or false'),
    is: (value: unknown): value is boolean => typeof value === 'boolean',
  } as const;
}

/** @param slider the slider's maximum and step; larger values can be typed */
function count(
  expected: string,
  usual: number,
  slider: { readonly maximum: number; readonly step: number },
  ruleSets: readonly PruneRuleSet[] = pruneRuleSets,
) {
  return {
    kind: 'count',
    usual,
    ...slider,
    /** The rule sets that have this threshold. */
    ruleSets,
    expected,
    is: (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0,
  } as const;
}

function tools(usual: readonly string[]) {
  return {
    kind: 'tools',
    usual,
    expected: translate('a list of tool names'),
    is: (value: unknown): value is readonly string[] =>
      Array.isArray(value) && value.every(name => typeof name === 'string'),
  } as const;
}

const tokenCount = translate('a whole number of tokens, 0 or more');

/**
 * Every member of the prune options in display order. The types, the check of outside values, the settings
 * (`contextInspector.prune.NAME`), the members of the command line's `--config` and the page's controls all follow from
 * this table. `usual` is the default of the rule set opencode.
 */
export const pruneMembers = {
  ruleSet: choice(pruneRuleSets, 'opencode'),
  enabled: toggle(true),
  /** Newest tool output tokens that are never pruned. */
  protectTokens: count(tokenCount, 40_000, { maximum: 200_000, step: 1000 }),
  /** Minimum number of prunable tokens; with fewer, nothing is pruned. */
  minimumTokens: count(tokenCount, 20_000, { maximum: 100_000, step: 1000 }),
  /** UTF-16 units of an output that `truncate` keeps. */
  toolOutputMaxChars: count(translate('a whole number of characters, 0 or more'), 2_000, {
    maximum: 20_000,
    step: 100,
  }),
  /**
   * Maximum number of tokens that may be written to the cache again: a result followed by more tokens is never pruned,
   * whatever its age. Only oh-my-pi's rules have this guard. The default is the agent's value for both of its passes
   * (18.3.4, session-maintenance.ts).
   */
  cacheWarmSuffixTokens: count(tokenCount, 8_000, { maximum: 100_000, step: 1000 }, ['oh-my-pi']),
  /** Names of tools whose outputs are never pruned. */
  protectedTools: tools(['skill']),
  replacement: choice(pruneReplacements, 'clear'),
  measure: choice(pruneMeasures, 'chars4'),
} as const;

type Members = typeof pruneMembers;
export type PruneMember = keyof Members;

/** When old tool outputs are removed from the context, and their replacement. */
export type PruneOptions = {
  readonly [Name in PruneMember]: Members[Name]['is'] extends ((value: unknown) => value is infer Value)
    ? Value
    : never;
};

/** The options of every rule set (katu-core 0.1.1, compaction.rs, after opencode). */
export type PruneConfig = Pick<
  PruneOptions,
  'enabled' | 'protectTokens' | 'minimumTokens' | 'toolOutputMaxChars' | 'protectedTools'
>;

function isPruneMember(name: string): name is PruneMember {
  return Object.hasOwn(pruneMembers, name);
}

export const pruneMemberNames: readonly PruneMember[] = Object.keys(pruneMembers).filter(isPruneMember);

/** True if a value from outside is a complete set of options with no other members. */
export function isPruneOptions(value: unknown): value is PruneOptions {
  return (
    isRecord(value) &&
    pruneMemberNames.every(name => pruneMembers[name].is(value[name])) &&
    Object.keys(value).every(isPruneMember)
  );
}

const usualOptions = Object.fromEntries(pruneMemberNames.map(name => [name, pruneMembers[name].usual]));

/**
 * Defaults that differ between rule sets: katu-core 0.1.1 and Claude Code 2.1.14 protect no tool. opencode 1.18.34
 * (session/compaction.ts) and oh-my-pi 18.2.11 (compaction/pruning.ts) agree. Duplicates can be pruned without loss,
 * whatever their size. The agents measure by their own estimate, never with a tokenizer.
 */
const ownDefaults: Readonly<Record<PruneRuleSet, Partial<PruneOptions>>> = {
  opencode: {},
  katu: { protectedTools: [] },
  'oh-my-pi': {},
  microcompact: { protectedTools: [] },
  duplicates: { protectTokens: 0, minimumTokens: 0, protectedTools: [], measure: 'tokens' },
};

export function defaultPruneOptions(ruleSet: PruneRuleSet = 'opencode'): PruneOptions {
  const options: unknown = { ...usualOptions, ...ownDefaults[ruleSet], ruleSet };
  if (!isPruneOptions(options)) {
    throw new Error(`The defaults of ${ruleSet} are not prune options.`);
  }
  return options;
}

/** The options with one of them changed. */
export function withOption<Name extends PruneMember>(
  options: PruneOptions,
  name: Name,
  value: PruneOptions[Name],
): PruneOptions {
  return { ...options, [name]: value };
}

/**
 * Changes the rule set and takes its protected tools. Thresholds and a measure at the old defaults change to the new
 * defaults.
 */
export function withRuleSet(options: PruneOptions, ruleSet: PruneRuleSet): PruneOptions {
  const before = defaultPruneOptions(options.ruleSet);
  const after = defaultPruneOptions(ruleSet);
  const threshold = (key: 'protectTokens' | 'minimumTokens'): number =>
    options[key] === before[key] ? after[key] : options[key];
  return {
    ...options,
    ruleSet,
    protectTokens: threshold('protectTokens'),
    minimumTokens: threshold('minimumTokens'),
    measure: options.measure === before.measure ? after.measure : options.measure,
    protectedTools: after.protectedTools,
  };
}

/** The names of the members with different values. */
export function changedMembers(first: PruneOptions, second: PruneOptions): readonly PruneMember[] {
  return pruneMemberNames.filter(name => JSON.stringify(first[name]) !== JSON.stringify(second[name]));
}

export type ParsedPruneOptions =
  | { readonly ok: true; readonly value: PruneOptions }
  | { readonly ok: false; readonly problem: string };

/**
 * Reads options from outside. Missing members have the defaults of the chosen rule set.
 * @returns the options, or one sentence that names the error.
 */
export function parsePruneOptions(value: unknown): ParsedPruneOptions {
  if (!isRecord(value)) {
    return { ok: false, problem: translate('The prune options must be a JSON object.') };
  }
  for (const [name, given] of Object.entries(value)) {
    if (!isPruneMember(name)) {
      const names = pruneMemberNames.join(', ');
      return {
        ok: false,
        problem: translate('{0} is not a prune option. The options are {1}.', JSON.stringify(name), names),
      };
    }
    const { is, expected } = pruneMembers[name];
    if (!is(given)) {
      return { ok: false, problem: translate('The prune option "{0}" must be {1}.', name, expected) };
    }
  }
  const { ruleSet } = value;
  const options = {
    ...defaultPruneOptions(pruneMembers.ruleSet.is(ruleSet) ? ruleSet : undefined),
    ...value,
  };
  return isPruneOptions(options)
    ? { ok: true, value: options }
    : { ok: false, problem: translate('The prune options cannot be read.') };
}
