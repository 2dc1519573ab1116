import { translate } from '../../base/translate';

/** Limits for unpacking a file. Beyond them, it is refused. */
export interface UnpackLimits {
  /** Maximum unpacked bytes per packed byte. */
  readonly ratio: number;
  /** Maximum unpacked bytes of one file. */
  readonly bytes: number;
}

/**
 * Real sessions are packed to 1/4 to 1/50 of their size, and a capture of 200 requests that each repeat the whole
 * context to 1/400 (`zstd -19 --long`). A zip bomb is packed to 1/1,000 or less.
 */
export const defaultUnpackLimits: UnpackLimits = { ratio: 400, bytes: 2_000_000_000 };

/** Every file may unpack to this many bytes, which do no harm. Short repetitive texts exceed the ratio. */
const alwaysAllowed = 32_000_000;

/** A file is refused although it may be intact. The message is a sentence for the user. */
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

/** Maximum number of unpacked bytes for this many packed bytes. */
export function mostUnpacked(packed: number, { ratio, bytes }: UnpackLimits): number {
  return Math.min(bytes, alwaysAllowed + ratio * packed);
}

/** Unpacks Zstandard data; undefined if that is longer than `most` bytes. Rejects if the data is damaged or cut off. */
export type UnpackZstd = (packed: Uint8Array, most: number) => Promise<Uint8Array | undefined>;

/** Unpacks within the limits. Rejects with TooLargeError, or with another error if the data is damaged. */
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
