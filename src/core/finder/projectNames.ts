import { md5 } from '@noble/hashes/legacy.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import { isObject, stringAt } from '../base/json';

/**
 * The names that agents give to the folder with the sessions of a working directory: the path with a dash for every
 * character that is not a letter or digit (Claude Code, Qwen Code, Droid; Cursor without the first dash), the same
 * between two dashes (pi), its SHA-256 (Gemini CLI) or its MD5 (Kimi).
 */
export function projectFolderNames(workingDirectory: string): ReadonlySet<string> {
  const dashes = workingDirectory.replace(/[^a-z\d]/gi, '-');
  const bytes = new TextEncoder().encode(workingDirectory);
  return new Set([
    dashes,
    dashes.toLowerCase(),
    dashes.replace(/^-+/, ''),
    `--${workingDirectory.replace(/^[/\\]/, '').replace(/[/\\:]/g, '-')}--`,
    bytesToHex(sha256(bytes)),
    bytesToHex(md5(bytes)),
  ]);
}

/** Whether a working directory is a folder or below it. */
export function isInFolder(workingDirectory: string, folder: string): boolean {
  const plain = (path: string): string => {
    const slashes = path.replaceAll('\\', '/').replace(/\/+$/, '');
    return /^[a-z]:/i.test(slashes) ? slashes.toLowerCase() : slashes;
  };
  const [inner, outer] = [plain(workingDirectory), plain(folder)];
  return inner === outer || inner.startsWith(`${outer}/`);
}

/** The working directory in a file of a project's folder: a path, or `folder` of a JSON object as a file URI. */
export function readProjectNote(text: string): string | undefined {
  const trimmed = text.trim();
  if (!trimmed.startsWith('{')) {
    return trimmed === '' || trimmed.includes('\n') ? undefined : trimmed;
  }
  try {
    const note: unknown = JSON.parse(trimmed);
    const uri = isObject(note) ? (stringAt(note, 'folder') ?? stringAt(note, 'workspace')) : undefined;
    const match = /^file:\/\/(?<host>[^/]*)(?<path>\/.*)$/.exec(uri ?? '')?.groups;
    if (match === undefined) {
      return undefined;
    }
    const path = decodeURIComponent(match['path'] ?? '');
    return /^\/[a-z]:/i.test(path) ? path.slice(1).replaceAll('/', '\\') : path;
  } catch {
    return undefined;
  }
}
