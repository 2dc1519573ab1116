import * as v from 'valibot';
import { isRecord } from './jsonValue';

/** Which agent's rules decide what is pruned. */
export const pruneRuleSets = ['opencode', 'katu'] as const;
export type PruneRuleSet = (typeof pruneRuleSets)[number];

/** What stands in the place of a pruned output: the rule set's notice alone, or the output's beginning and a notice. */
export const pruneReplacements = ['clear', 'truncate'] as const;
export type PruneReplacement = (typeof pruneReplacements)[number];

/**
 * How outputs are measured: by a tokenizer, or by the rule set's own estimate, a quarter of the UTF-16 units (opencode)
 * or UTF-8 bytes (katu).
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
}

const sharedDefaults = {
  enabled: true,
  protectTokens: 40_000,
  minimumTokens: 20_000,
  toolOutputMaxChars: 2_000,
} as const;

/** Defaults of each rule set: opencode, session/compaction.ts; katu-core 0.1.1, where no tool is protected. */
export const defaultPruneConfigs: Readonly<Record<PruneRuleSet, PruneConfig>> = {
  opencode: { ...sharedDefaults, protectedTools: ['skill'] },
  katu: { ...sharedDefaults, protectedTools: [] },
};

export function defaultPruneOptions(ruleSet: PruneRuleSet = 'opencode'): PruneOptions {
  return { ...defaultPruneConfigs[ruleSet], ruleSet, replacement: 'clear', measure: 'tokens' };
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

/** The message of each schema says what it expects. */
const optionsSchema = v.strictObject({
  ruleSet: v.exactOptional(v.picklist(pruneRuleSets, '"opencode" or "katu"')),
  enabled: v.exactOptional(v.boolean('true or false')),
  protectTokens: v.exactOptional(wholeNumber('tokens')),
  minimumTokens: v.exactOptional(wholeNumber('tokens')),
  toolOutputMaxChars: v.exactOptional(wholeNumber('characters')),
  protectedTools: v.exactOptional(v.array(v.string('a list of tool names'), 'a list of tool names')),
  replacement: v.exactOptional(v.picklist(pruneReplacements, '"clear" or "truncate"')),
  measure: v.exactOptional(v.picklist(pruneMeasures, '"tokens" or "chars4"')),
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
