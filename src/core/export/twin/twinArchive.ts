import { type Zippable, zipSync } from 'fflate';
import { unpackEntries } from '../../formats/inspect/inspectArchive';
import { chunkName } from '../../formats/inspect/inspectChunks';
import type { UnpackLimits, UnpackZstd } from '../../reading/decoders/unpacking';

/** The parts of an archive's entry names that are not names of samples. */
const fixedName = /^(?:header|summaries|reductions)\.json$|^_journal\//;
const samples = 'samples/';
/** The parts of a sample in chunks. */
const fixedPart = /^(?:sample|metadata|skeleton|(?:events|messages|calls|attachments)\/(?:\d+|stats|uuids))$/;

/** The archive of an Inspect log with the twins of its JSON files. Throws for an archive that cannot be unpacked. */
export async function twinArchive(
  bytes: Uint8Array,
  jsonTwin: (text: string) => Promise<string>,
  nameTwin: (name: string) => string,
  limits: UnpackLimits,
  unpackZstd: UnpackZstd,
): Promise<Uint8Array> {
  const encoder = new TextEncoder();
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  const entries: Zippable = {};
  for (const { name, content } of await unpackEntries(bytes, limits, unpackZstd)) {
    const twin = nameOf(name, nameTwin);
    // An empty file counts as damaged, like one that does not unpack.
    entries[twin] =
      content === undefined ? new Uint8Array() : encoder.encode(await jsonTwin(decoder.decode(content)));
  }
  return zipSync(entries);
}

function nameOf(name: string, nameTwin: (name: string) => string): string {
  const [folder, part] = chunkName(name) ?? [];
  if (folder !== undefined && part !== undefined && fixedPart.test(part)) {
    return `${samples}${nameTwin(folder)}/${part}.json`;
  }
  return name.startsWith(samples)
    ? samples + nameTwin(name.slice(samples.length))
    : fixedName.test(name)
      ? name
      : nameTwin(name);
}
