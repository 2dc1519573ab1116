import * as v from 'valibot';

const limit = (usual: number) => v.fallback(v.pipe(v.number(), v.safeInteger(), v.minValue(1)), usual);

/** What the settings say of asking. */
const settings = v.object({
  isOn: v.fallback(v.boolean(), true),
  /** By the provider's id, as written; `providerEntry` reads one. */
  providers: v.fallback(v.record(v.string(), v.unknown()), {}),
  /** Input tokens of a request that is sent, at most. */
  maximumTokens: limit(200_000),
  /** Longest answer, in tokens. */
  maximumOutput: limit(4096),
  /** Requests that one act sends, at most. */
  maximumCalls: limit(20),
});
export type AskSettings = Readonly<v.InferOutput<typeof settings>>;

/** Reads settings; a value that is not usable counts as not set. */
export function askSettings(values: Readonly<Record<string, unknown>>): AskSettings {
  return v.parse(settings, values);
}

/** What the user says of one provider. */
const entrySchema = v.strictObject({
  /** In place of the known one, without a slash at the end. */
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

/** Throws where an entry cannot be used: a request never goes to another address than the one that was meant. */
export function providerEntry({ providers }: AskSettings, id: string): ProviderEntry {
  const parsed = v.safeParse(entrySchema, providers[id] ?? {});
  if (!parsed.success) {
    throw new Error(`The setting contextInspector.asking.providers has no usable entry for ${id}.`);
  }
  return parsed.output;
}
