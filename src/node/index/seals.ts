import { crc32 } from 'node:zlib';
import { bytesOf, damaged, type Row, textOf } from './indexValues';

// SQLite does not notice a changed byte within a value. So each row has a checksum of its values, and the table `total`
// the sum of these, to notice that a row is missing.

/** The facts about a file that its other values belong to: the file's page may be older than those of its content. */
interface SealedFile {
  readonly id: number;
  readonly path: string;
  readonly state: string;
  readonly words: number;
}

/** The sealed values of a row, without the blocks and the parts. */
export interface SealedUsage extends SealedFile {
  /** JSON, or the token of a reading. */
  readonly session: string;
  readonly requests: Uint8Array;
  readonly losses: Uint8Array;
}

/**
 * The columns of `file JOIN content USING (id)` that `openedUsage` needs. Texts are passed as one, because each passed
 * value costs more than reading it. None of them has a line feed.
 */
export const sealedUsage =
  'concat_ws(char(10), id, path, state, words, session) AS facts, requests, losses, seal';

export function sealOfUsage({ id, path, state, words, session, requests, losses }: SealedUsage): number {
  return sealOfFacts([id, path, state, words, session].join('\n'), requests, losses);
}

function sealOfFacts(facts: string, requests: Uint8Array, losses: Uint8Array): number {
  // With the length, the requests end where they did.
  return extended(extended(crc32(`${facts}\n${requests.length}`), requests), losses);
}

/** Without bytes, the checksum stays: for an empty value from SQLite, zlib would return 0. */
const extended = (seal: number, bytes: Uint8Array): number =>
  bytes.length === 0 ? seal : crc32(bytes, seal);

/** The checksum of the bytes of a file's blocks or parts. */
export function sealOfBytes({ id, state }: Pick<SealedFile, 'id' | 'state'>, bytes: Uint8Array): number {
  return extended(crc32(`${id} ${state} ${bytes.length}`), bytes);
}

export function sealOfList(hash: string, words: number, states: Uint8Array): number {
  return extended(crc32(`${hash} ${words}`), states);
}

/** The values of a row. Throws IndexDamage if they were changed. */
export function openedUsage(row: Row): SealedUsage & { readonly seal: number } {
  const facts = textOf(row['facts']);
  const [requests, losses] = [bytesOf(row['requests']), bytesOf(row['losses'])];
  const seal = checked(sealOfFacts(facts, requests, losses), row['seal']);
  const [id, path = '', state = '', words, session = ''] = facts.split('\n');
  return { id: Number(id), path, state, words: Number(words), session, requests, losses, seal };
}

export function openedBytes(file: SealedFile, value: unknown, seal: unknown): Uint8Array {
  const bytes = bytesOf(value);
  checked(sealOfBytes(file, bytes), seal);
  return bytes;
}

/** Throws IndexDamage if a number is not the expected one. */
export function checked(found: number, expected: unknown): number {
  if (found !== expected) {
    throw damaged('a row was changed');
  }
  return found;
}
