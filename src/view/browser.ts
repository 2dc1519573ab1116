import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { thisMachine } from '../node/thisMachine';
import { type Call, startProgram } from './program';

type Environment = Readonly<Record<string, string | undefined>>;

/** True if a browser of this machine has a screen. */
export function hasScreen({ DISPLAY, WAYLAND_DISPLAY, BROWSER }: Environment): boolean {
  return process.platform !== 'linux' || [DISPLAY, WAYLAND_DISPLAY, BROWSER].some(Boolean);
}

/**
 * Opens a link in the user's browser. Every user of the machine can read the words of a call, so the browser gets a file
 * that leads there, and that only this user can read.
 * @returns a function that removes the file
 */
export async function openBrowser(link: string, environment: Environment): Promise<() => void> {
  // A browser from a snap sees no hidden folders and no folder for temporary files.
  const place = existsSync('/snap/bin') ? homedir() : tmpdir();
  const folder = mkdtempSync(join(place, 'context-inspector-'));
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  process.once('exit', remove);
  const file = join(folder, 'open.html');
  writeFileSync(file, leadingTo(link), { mode: 0o600 });
  try {
    await startProgram(callOf(pathToFileURL(file).href, environment));
  } catch (error) {
    remove();
    throw error;
  }
  return remove;
}

function callOf(address: string, { BROWSER = '' }: Environment): Call {
  switch (thisMachine().platform) {
    case 'macos':
      return ['open', address];
    case 'windows':
      return ['rundll32', 'url.dll,FileProtocolHandler', address];
    case 'linux': {
      // The variable is a list.
      const [named = ''] = BROWSER.split(':');
      return [named === '' ? 'xdg-open' : named, address];
    }
  }
}

function leadingTo(link: string): string {
  return `<!DOCTYPE html>
<meta charset="UTF-8">
<meta name="referrer" content="no-referrer">
<meta http-equiv="refresh" content="0;url=${link}">
<title>Context Inspector</title>
<a href="${link}">Context Inspector</a>
`;
}
