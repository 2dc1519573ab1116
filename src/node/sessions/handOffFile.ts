import { mkdir } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import type { HandOff } from '../../core/handOff/handOff';
import { describeWriteError } from '../files/fileErrors';

/** Where to write: a folder, or the one in which the agent keeps its sessions. */
export type HandOffPlace = { readonly kind: 'folder'; readonly folder: string } | { readonly kind: 'agent' };

/** The path of a new session; undefined if only the agent itself can add one to its own. */
export function handOffPath({ facts, session }: HandOff, place: HandOffPlace): string | undefined {
  const { folder, writer } = facts;
  const parts = writer.path(session);
  if (place.kind === 'folder') {
    return resolve(place.folder, parts.at(-1) ?? '');
  }
  const moved = folder === undefined ? '' : (process.env[folder.variable] ?? '');
  return folder && resolve(moved === '' ? join(homedir(), folder.home) : moved, ...parts);
}

/** Makes the folder of a path. Rejects with one sentence if it cannot. */
export async function makeFolderOf(path: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true }).catch((error: unknown) => {
    throw new Error(describeWriteError(error));
  });
}

/** The command that resumes a written session; null if the agent finds only what is in its own folder. */
export function resumeCommand({ facts, session }: HandOff, path: string, place: HandOffPlace): string | null {
  return place.kind === 'agent' || facts.takesPath ? facts.resume({ id: session.id, path }) : null;
}
