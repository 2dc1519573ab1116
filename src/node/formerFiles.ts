import { rm } from 'node:fs/promises';
import { join } from 'node:path';

/** Names in the extension's storage that earlier versions wrote and nothing reads any more. */
const formerFiles = ['sessions.json'];

/** Deletes what earlier versions left in the extension's storage. */
export async function deleteFormerFiles(storage: string): Promise<void> {
  await Promise.all(formerFiles.map(name => rm(join(storage, name), { force: true }).catch(() => undefined)));
}
