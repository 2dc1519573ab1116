import * as v from 'valibot';
import { providerPresets } from '../backend/providers';
import { isObject } from '../core/base/json';
import { translate } from '../core/base/translate';
import { askingSection, askingSettingKeys } from './manifest';

const limit = v.pipe(v.number(), v.safeInteger(), v.minValue(1));

/** What each setting must be. */
const fields = {
  enabled: v.boolean(),
  providers: v.custom<Readonly<Record<string, unknown>>>(isObject),
  maximumTokens: limit,
  maximumOutput: limit,
  maximumCalls: limit,
} satisfies Readonly<Record<(typeof askingSettingKeys)[number], unknown>>;

const settings = v.object({
  /** Off where the setting does not say clearly what is meant. */
  enabled: v.optional(v.fallback(fields.enabled, false), true),
  /** By the provider's id, as written; `providerEntry` reads one. */
  providers: v.optional(v.unknown(), {}),
  /** Maximum input tokens of a request. */
  maximumTokens: v.fallback(limit, 200_000),
  /** Longest answer, in tokens. */
  maximumOutput: v.fallback(limit, 4096),
  /** Maximum requests per act. */
  maximumCalls: v.fallback(limit, 20),
});
/** The settings for asking models. */
export type AskSettings = Readonly<v.InferOutput<typeof settings>>;

/** Reads settings of any form. An invalid limit has its default. */
export function askSettings(values: Readonly<Record<string, unknown>>): AskSettings {
  return v.parse(settings, values);
}

/** One sentence for each invalid setting. */
export function askProblems(values: Readonly<Record<string, unknown>>): readonly string[] {
  const given = askSettings(values);
  const invalid = askingSettingKeys.filter(
    key => values[key] !== undefined && !v.is(fields[key], values[key]),
  );
  return [
    ...invalid.map(key => translate('The setting {0} is invalid.', `${askingSection}.${key}`)),
    ...(invalid.includes('providers') ? [] : providerPresets).flatMap(({ id }) =>
      v.is(entrySchema, entryOf(given, id)) ? [] : [entryProblem(id)],
    ),
  ];
}

/** The user's settings for one provider. */
const entrySchema = v.strictObject({
  /** Replaces the known address. */
  baseUrl: v.exactOptional(v.string()),
  model: v.exactOptional(v.string()),
});
type ProviderEntry = Readonly<v.InferOutput<typeof entrySchema>>;

/** Throws for an invalid entry, so that a request never goes to an unintended address. */
export function providerEntry(given: AskSettings, id: string): ProviderEntry {
  const parsed = v.safeParse(entrySchema, entryOf(given, id));
  if (!parsed.success) {
    throw new Error(entryProblem(id));
  }
  return parsed.output;
}

/** Undefined, which is no valid entry, if the whole setting is invalid. */
function entryOf({ providers }: AskSettings, id: string): unknown {
  return isObject(providers) ? (Object.hasOwn(providers, id) ? providers[id] : {}) : undefined;
}

function entryProblem(id: string): string {
  return translate('The setting {0} has no valid entry for {1}.', `${askingSection}.providers`, id);
}
