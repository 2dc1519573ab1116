import type { RewriteDatabase } from '../../core/export/twin/anonymisedTwin';
import type { DecoderTools } from '../../core/reading/format';
import { unpackZstd } from '../files/unpackZstd';

/** The Node functions that decoders need. SQLite is loaded with the first database. */
export const decoderTools: DecoderTools = {
  openDatabase: async (bytes, log) => (await import('./sqlite')).openDatabase(bytes, log),
  unpackZstd,
};

/** Rewrites the texts of a database. */
export const rewriteDatabase: RewriteDatabase = async (bytes, texts, log) =>
  (await import('./sqlite')).rewriteDatabase(bytes, texts, log);
