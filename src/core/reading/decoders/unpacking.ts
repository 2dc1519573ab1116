import { translate } from '../../base/translate';

/** How far a packed file may unpack before it is refused. */
export interface UnpackLimits {
  /** Unpacked bytes for one packed byte. */
  readonly ratio: number;
  /** Unpacked bytes of one file. */
  readonly bytes: number;
}

/**
 * Real sessions pack to a 4th to a 50th, and a capture of 200 requests that each repeat the whole context to a 400th
 * (`zstd -19 --long`); a bomb packs to a 1,000th and less.
 */
export const defaultUnpackLimits: UnpackLimits = { ratio: 400, bytes: 2_000_000_000 };

/** Every file may unpack to this many bytes: less does no harm, and short texts that repeat pack very well. */
const alwaysAllowed = 32_000_000;

/** A file is not read though it may be whole; the message is a sentence for the user. */
export class RefusedError extends Error {}

/** The file unpacks to more than its limits allow. */
export class TooLargeError extends RefusedError {
  constructor({ ratio, bytes }: UnpackLimits) {
    super(
      translate(
        'This file is not read: it unpacks to more than {0} times its size or more than {1} MB.',
        ratio,
        Math.round(bytes / 1_000_000),
      ),
    );
  }
}

/** How many bytes may come out of this many packed ones. */
export function mostUnpacked(packed: number, { ratio, bytes }: UnpackLimits): number {
  return Math.min(bytes, alwaysAllowed + ratio * packed);
}

/** Unpacks Zstandard data; undefined if that is longer than `most` bytes. Rejects if the data is damaged or cut off. */
export type UnpackZstd = (packed: Uint8Array, most: number) => Promise<Uint8Array | undefined>;

/** Unpacks within the limits. Rejects with TooLargeError, and with any other error where the data is damaged. */
export async function unpackWithin(
  packed: Uint8Array,
  limits: UnpackLimits,
  unpackZstd: UnpackZstd,
): Promise<Uint8Array> {
  const content = await unpackZstd(packed, mostUnpacked(packed.length, limits));
  if (content === undefined) {
    throw new TooLargeError(limits);
  }
  return content;
}
