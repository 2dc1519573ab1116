import type { SettingReader } from './settingsTable';

/** The settings for asking models. */
export const askSettings = (get: SettingReader) => ({
  enabled: get('asking.enabled'),
  /** By the provider's id, unchecked; `providerEntry` reads one. */
  providers: get('asking.providers'),
  /** Maximum input tokens of a request. */
  maximumTokens: get('asking.maximumTokens'),
  /** Longest answer, in tokens. */
  maximumOutput: get('asking.maximumOutput'),
  /** Maximum requests per act. */
  maximumCalls: get('asking.maximumCalls'),
});
export type AskSettings = Readonly<ReturnType<typeof askSettings>>;
