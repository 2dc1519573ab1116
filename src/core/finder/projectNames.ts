import { md5 } from '@noble/hashes/legacy.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import { groupBy } from '../base/groupBy';
import { isObject, stringAt } from '../base/json';
import { translate } from '../base/translate';

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

/**
 * A unique name for each of several folders: the folder's own name, with as many of the folders above it as needed, as
 * in `v1 / harbor-api`.
 */
export function folderNames(folders: Iterable<string>): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  let unnamed = [...new Set(folders)].map(folder => ({
    folder,
    parts: folder.split(/[/\\]/).filter(part => part !== ''),
  }));
  for (let depth = 1; unnamed.length > 0; depth += 1) {
    const byName = groupBy(unnamed, ({ parts }) => parts.slice(-depth).join(' / '));
    unnamed = [];
    for (const [name, alike] of byName) {
      // Folders with the same parts differ only in separators.
      if (alike.length === 1 || alike.every(({ parts }) => parts.length <= depth)) {
        alike.forEach(({ folder }) => names.set(folder, name === '' ? folder : name));
      } else {
        unnamed.push(...alike);
      }
    }
  }
  return names;
}

/** The name of a project if only the agent's folder for it is known. */
export function nameOfAgentFolder(agent: string, folder: string): string {
  if (folder === 'emptyWindowChatSessions') {
    return translate('Windows without a folder');
  }
  // A hash means nothing to a person, but its beginning distinguishes two projects.
  return /^[\da-f]{32,}$/i.test(folder)
    ? translate('{0}: folder not recorded ({1}…)', agent, folder.slice(0, 6))
    : folder.replace(/^-+|-+$/g, '') || folder;
}
