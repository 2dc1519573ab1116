import * as v from 'valibot';

/** What the settings say of asking. */
export interface AskSettings {
  readonly isOn: boolean;
  /** By the provider's id, as written; `providerEntry` reads one. */
  readonly providers: Readonly<Record<string, unknown>>;
  /** Input tokens of a request that is sent, at most. */
  readonly maximumTokens: number;
  /** Longest answer, in tokens. */
  readonly maximumOutput: number;
  /** Requests that one act sends, at most. */
  readonly maximumCalls: number;
}

const limit = (usual: number) => v.fallback(v.pipe(v.number(), v.safeInteger(), v.minValue(1)), usual);

const settings: v.GenericSchema<unknown, AskSettings> = v.object({
  isOn: v.fallback(v.boolean(), true),
  providers: v.fallback(v.record(v.string(), v.unknown()), {}),
  maximumTokens: limit(200_000),
  maximumOutput: limit(4096),
  maximumCalls: limit(20),
});

/** Reads settings; a value that is not usable counts as not set. */
export function askSettings(values: Readonly<Record<string, unknown>>): AskSettings {
  return v.parse(settings, values);
}

/** What the user says of one provider. */
export interface ProviderEntry {
  /** In place of the known one, without a slash at the end. */
  readonly baseUrl?: string | undefined;
  readonly model?: string | undefined;
}

const entrySchema: v.GenericSchema<unknown, ProviderEntry> = v.strictObject({
  baseUrl: v.exactOptional(
    v.pipe(
      v.string(),
      v.regex(/^https?:\/\/[^\s/]/),
      v.transform(url => url.replace(/\/+$/, '')),
    ),
  ),
  model: v.exactOptional(v.string()),
});

/** Throws where an entry cannot be used: a request never goes to another address than the one that was meant. */
export function providerEntry({ providers }: AskSettings, id: string): ProviderEntry {
  const parsed = v.safeParse(entrySchema, providers[id] ?? {});
  if (!parsed.success) {
    throw new Error(`The setting contextInspector.asking.providers has no usable entry for ${id}.`);
  }
  return parsed.output;
}
