import * as v from 'valibot';
import { isRecord } from '../base/jsonValue';

/** Whose rules decide what is pruned; `duplicates` are this program's own. */
export const pruneRuleSets = ['opencode', 'katu', 'oh-my-pi', 'microcompact', 'duplicates'] as const;
export type PruneRuleSet = (typeof pruneRuleSets)[number];

/** What stands in the place of a pruned output: the rule set's notice alone, or the output's beginning and a notice. */
export const pruneReplacements = ['clear', 'truncate'] as const;
export type PruneReplacement = (typeof pruneReplacements)[number];

/**
 * How outputs are measured: by a tokenizer, or by the rule set's own estimate, a quarter of the UTF-16 units (opencode,
 * microcompact, duplicates) or UTF-8 bytes (katu, oh-my-pi).
 */
export const pruneMeasures = ['tokens', 'chars4'] as const;
export type PruneMeasure = (typeof pruneMeasures)[number];

/** When to take old tool outputs out of the context (katu-core 0.1.1, compaction.rs, after opencode). */
export interface PruneConfig {
  readonly enabled: boolean;
  /** Tokens of the newest tool outputs that are left alone. */
  readonly protectTokens: number;
  /** Tokens that must be prunable before anything is pruned. */
  readonly minimumTokens: number;
  /** UTF-16 units of an output that "truncate" keeps. */
  readonly toolOutputMaxChars: number;
  /** Names of tools whose outputs are never pruned. */
  readonly protectedTools: readonly string[];
}

export interface PruneOptions extends PruneConfig {
  readonly ruleSet: PruneRuleSet;
  readonly replacement: PruneReplacement;
  readonly measure: PruneMeasure;
  /**
   * Tokens at the end of the context that may be written to the cache again: a result with more than this behind it is
   * left alone, whatever its age. Only oh-my-pi's rules have such a guard.
   */
  readonly cacheWarmSuffixTokens: number;
}

const sharedDefaults = {
  enabled: true,
  protectTokens: 40_000,
  minimumTokens: 20_000,
  toolOutputMaxChars: 2_000,
} as const;

/**
 * Defaults of each rule set: opencode 1.18.34, session/compaction.ts; katu-core 0.1.1, where no tool is protected;
 * oh-my-pi 18.2.11, compaction/pruning.ts; Claude Code 2.1.14. Duplicates cost nothing to lose, whatever their size.
 */
export const defaultPruneConfigs: Readonly<Record<PruneRuleSet, PruneConfig>> = {
  opencode: { ...sharedDefaults, protectedTools: ['skill'] },
  katu: { ...sharedDefaults, protectedTools: [] },
  'oh-my-pi': { ...sharedDefaults, protectedTools: ['skill'] },
  microcompact: { ...sharedDefaults, protectedTools: [] },
  duplicates: { ...sharedDefaults, protectTokens: 0, minimumTokens: 0, protectedTools: [] },
};

export function defaultPruneOptions(ruleSet: PruneRuleSet = 'opencode'): PruneOptions {
  return {
    ...defaultPruneConfigs[ruleSet],
    ruleSet,
    replacement: 'clear',
    measure: 'tokens',
    // What the agent oh-my-pi sets (18.3.4, session-maintenance.ts), for both of its passes.
    cacheWarmSuffixTokens: 8_000,
  };
}

/** Another rule set with its own protected tools; thresholds that were the old one's defaults become the new one's. */
export function withRuleSet(options: PruneOptions, ruleSet: PruneRuleSet): PruneOptions {
  const before = defaultPruneConfigs[options.ruleSet];
  const after = defaultPruneConfigs[ruleSet];
  const threshold = (key: 'protectTokens' | 'minimumTokens'): number =>
    options[key] === before[key] ? after[key] : options[key];
  return {
    ...options,
    ruleSet,
    protectTokens: threshold('protectTokens'),
    minimumTokens: threshold('minimumTokens'),
    protectedTools: after.protectedTools,
  };
}

export function withEnabled<Config extends PruneConfig>(config: Config, enabled: boolean): Config {
  return { ...config, enabled };
}

export function withProtectTokens<Config extends PruneConfig>(config: Config, protectTokens: number): Config {
  return { ...config, protectTokens };
}

export function withMinimumTokens<Config extends PruneConfig>(config: Config, minimumTokens: number): Config {
  return { ...config, minimumTokens };
}

export function withToolOutputMaxChars<Config extends PruneConfig>(
  config: Config,
  toolOutputMaxChars: number,
): Config {
  return { ...config, toolOutputMaxChars };
}

/** Appends a tool; one that is there already is not looked for, as upstream. */
export function addProtectedTool<Config extends PruneConfig>(config: Config, tool: string): Config {
  return { ...config, protectedTools: [...config.protectedTools, tool] };
}

const wholeNumber = (unit: string) => {
  const expected = `a whole number of ${unit}, 0 or more`;
  return v.pipe(v.number(expected), v.safeInteger(expected), v.minValue(0, expected));
};

function oneOf(values: readonly string[]): string {
  const quoted = values.map(value => `"${value}"`);
  return `${quoted.slice(0, -1).join(', ')} or ${quoted.at(-1) ?? ''}`;
}

/** The message of each schema says what it expects. */
const optionsSchema = v.strictObject({
  ruleSet: v.exactOptional(v.picklist(pruneRuleSets, oneOf(pruneRuleSets))),
  enabled: v.exactOptional(v.boolean('true or false')),
  protectTokens: v.exactOptional(wholeNumber('tokens')),
  minimumTokens: v.exactOptional(wholeNumber('tokens')),
  toolOutputMaxChars: v.exactOptional(wholeNumber('characters')),
  protectedTools: v.exactOptional(v.array(v.string('a list of tool names'), 'a list of tool names')),
  replacement: v.exactOptional(v.picklist(pruneReplacements, oneOf(pruneReplacements))),
  measure: v.exactOptional(v.picklist(pruneMeasures, oneOf(pruneMeasures))),
  cacheWarmSuffixTokens: v.exactOptional(wholeNumber('tokens')),
});

export type ParsedPruneOptions =
  { readonly ok: true; readonly value: PruneOptions } | { readonly ok: false; readonly problem: string };

/**
 * Reads options from outside. Members left out take the defaults of the chosen rule set.
 * @returns the options, or one sentence that names what is wrong.
 */
export function parsePruneOptions(value: unknown): ParsedPruneOptions {
  if (!isRecord(value)) {
    return { ok: false, problem: 'The prune options must be a JSON object.' };
  }
  const parsed = v.safeParse(optionsSchema, value);
  if (parsed.success) {
    return { ok: true, value: { ...defaultPruneOptions(parsed.output.ruleSet), ...parsed.output } };
  }
  const issue = parsed.issues[0];
  const option = JSON.stringify(issue.path?.[0]?.key);
  return {
    ok: false,
    problem:
      issue.type === 'strict_object'
        ? `${option} is not a prune option; the options are ${Object.keys(optionsSchema.entries).join(', ')}.`
        : `The prune option ${option} must be ${issue.message}.`,
  };
}
