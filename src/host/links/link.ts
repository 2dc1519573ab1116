import { posix, win32 } from 'node:path';
import { fileURLToPath } from 'node:url';
import { translate } from '../../core/base/translate';
import type { LinkedPlace } from '../../protocol/shownPlace';

/** A link to a transcript on this machine and a place in it. */
export interface TranscriptLink extends LinkedPlace {
  /** Absolute, in the form of this machine. */
  readonly file: string;
}

type ParsedLink =
  | { readonly ok: true; readonly link: TranscriptLink }
  /** The problem as a sentence. */
  | { readonly ok: false; readonly sentence: string };

/** The only path of links that this extension knows. */
export const linkPath = '/open';

/** Longer than any path that a system allows, in UTF-16 units. */
const longestFile = 4096;
const control = /\p{Cc}/u;
const places = ['conversation', 'request', 'block'] as const;

/**
 * The address of a link. The file is percent-encoded twice if it has characters with a meaning in a query, because VS
 * Code decodes a query once before it can be split.
 * @param base such as `vscode://context-inspector.context-inspector`
 */
export function linkText(base: string, { file, ...place }: TranscriptLink): string {
  const numbers = places.flatMap(name => {
    const number = place[name];
    return number === undefined ? [] : [`&${name}=${number}`];
  });
  const encoded = encodeURI(file.replace(/[%&#=?]/g, encodeURIComponent));
  return `${base}${linkPath}?file=${encoded}${numbers.join('')}`;
}

/**
 * Parses a link. Anyone can write one, so anything unexpected is refused.
 * @param query as passed by VS Code: decoded once
 */
export function parseLink(path: string, query: string, platform: NodeJS.Platform): ParsedLink {
  if (path !== linkPath) {
    return refused(translate('This is not a Context Inspector link: its path must be {0}.', linkPath));
  }
  const values = new Map<string, string>();
  for (const part of query.split('&')) {
    const [name = '', ...rest] = part.split('=');
    const value = decoded(rest.join('='));
    if (value === undefined || values.has(name)) {
      return refused(translate('This link is damaged.'));
    }
    values.set(name, value);
  }
  const file = localPath(values.get('file') ?? '', platform);
  if (file === undefined) {
    return refused(
      translate('This link does not name a file on this machine: "file" must be an absolute path.'),
    );
  }
  const place: { -readonly [Name in keyof LinkedPlace]: LinkedPlace[Name] } = {};
  for (const name of places) {
    const value = values.get(name);
    if (value !== undefined) {
      if (!/^\d{1,9}$/.test(value)) {
        return refused(translate('This link is damaged: "{0}" must be a whole number, 0 or more.', name));
      }
      place[name] = Number(value);
    }
  }
  return { ok: true, link: { file, ...place } };
}

function refused(sentence: string): ParsedLink {
  return { ok: false, sentence };
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/**
 * The local path of an absolute path or a file URI; undefined for anything else. A network share would be accessed over
 * the network.
 */
function localPath(text: string, platform: NodeJS.Platform): string | undefined {
  const path = /^file:/i.test(text) ? pathOfUri(text, platform) : text;
  if (path === undefined || path.length > longestFile || control.test(path)) {
    return undefined;
  }
  const isLocal = platform === 'win32' ? /^[a-z]:[\\/]/i.test(path) : /^\/(?!\/)/.test(path);
  return isLocal ? (platform === 'win32' ? win32 : posix).normalize(path) : undefined;
}

function pathOfUri(text: string, platform: NodeJS.Platform): string | undefined {
  try {
    return fileURLToPath(text, { windows: platform === 'win32' });
  } catch {
    return undefined;
  }
}
