import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';

export function twinArchive(bytes: Uint8Array, twinOf: (text: string) => string): Uint8Array {
  const entries = unzipSync(bytes);
  return zipSync(
    Object.fromEntries(
      Object.entries(entries).map(([name, content]) => [name, strToU8(twinOf(strFromU8(content)))]),
    ),
  );
}
