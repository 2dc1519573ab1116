import type { Decoder } from '../format';

/** Every way in which a file can be something else than JSON, in the order in which they are tried. */
export const decoders: readonly Decoder[] = [];
