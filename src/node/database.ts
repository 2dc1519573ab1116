import type { DecoderTools } from '../core/reading/format';

/** The Node functions that decoders need. SQLite is loaded with the first database. */
export const decoderTools: DecoderTools = {
  openDatabase: async (bytes, log) => (await import('./sqlite')).openDatabase(bytes, log),
};
