import * as v from 'valibot';
import { providerPresets } from '../../backend/providers';
import { isObject } from '../../core/base/json';
import { translate } from '../../core/base/translate';

/** The user's settings for one provider. */
export const providerSchema = v.strictObject({
  /**
   * Replaces the known address. `providerAddress` checks it; the settings editor marks an address that cannot be valid.
   */
  baseUrl: v.exactOptional(
    v.pipe(
      v.string(),
      v.metadata({
        pattern: String.raw`^(https://|http://(localhost|127(\.\d+){3}|\[::1\])(:\d+)?(/|$))`,
        patternErrorMessage: '%settings.asking.providers.baseUrl%',
      }),
    ),
  ),
  model: v.exactOptional(v.string()),
});
type ProviderEntry = Readonly<v.InferOutput<typeof providerSchema>>;

/** The entries by the provider's id, unchecked; undefined if the whole setting is invalid. */
type Providers = Readonly<Record<string, unknown>> | undefined;

export function providersFrom(value: unknown = {}): Providers {
  return isObject(value) ? value : undefined;
}

/** One sentence for each invalid entry. */
export function providerProblems(providers: Providers): readonly string[] {
  return providerPresets.flatMap(({ id }) =>
    v.is(providerSchema, entryOf(providers, id)) ? [] : [entryProblem(id)],
  );
}

/** Throws for an invalid entry, so that a request never goes to an unintended address. */
export function providerEntry(providers: Providers, id: string): ProviderEntry {
  const parsed = v.safeParse(providerSchema, entryOf(providers, id));
  if (!parsed.success) {
    throw new Error(entryProblem(id));
  }
  return parsed.output;
}

/** Undefined is no valid entry. */
function entryOf(providers: Providers, id: string): unknown {
  return providers === undefined || Object.hasOwn(providers, id) ? providers?.[id] : {};
}

function entryProblem(id: string): string {
  return translate('The setting {0} has no valid entry for {1}.', 'contextInspector.asking.providers', id);
}
