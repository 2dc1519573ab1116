import * as v from 'valibot';
import { translate } from '../../core/base/translate';

const limit = (usual: number) => v.fallback(v.pipe(v.number(), v.safeInteger(), v.minValue(1)), usual);

/** The settings for asking models. */
const settings = v.object({
  isOn: v.fallback(v.boolean(), true),
  /** By the provider's id, as written; `providerEntry` reads one. */
  providers: v.fallback(v.record(v.string(), v.unknown()), {}),
  /** Maximum input tokens of a request. */
  maximumTokens: limit(200_000),
  /** Longest answer, in tokens. */
  maximumOutput: limit(4096),
  /** Maximum requests per act. */
  maximumCalls: limit(20),
});
export type AskSettings = Readonly<v.InferOutput<typeof settings>>;

/** Reads settings; an invalid value counts as not set. */
export function askSettings(values: Readonly<Record<string, unknown>>): AskSettings {
  return v.parse(settings, values);
}

/** The user's settings for one provider. */
const entrySchema = v.strictObject({
  /** Replaces the known address; without a slash at the end. */
  baseUrl: v.exactOptional(
    v.pipe(
      v.string(),
      v.regex(/^https?:\/\/[^\s/]/),
      v.transform(url => url.replace(/\/+$/, '')),
    ),
  ),
  model: v.exactOptional(v.string()),
});
type ProviderEntry = Readonly<v.InferOutput<typeof entrySchema>>;

/** Throws for an invalid entry, so that a request never goes to an unintended address. */
export function providerEntry({ providers }: AskSettings, id: string): ProviderEntry {
  const parsed = v.safeParse(entrySchema, providers[id] ?? {});
  if (!parsed.success) {
    throw new Error(
      translate('The setting {0} has no valid entry for {1}.', 'contextInspector.asking.providers', id),
    );
  }
  return parsed.output;
}
