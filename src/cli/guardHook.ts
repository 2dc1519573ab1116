import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseJson, stringAt } from '../core/base/json';
import { guardedAct, type GuardedAct, type GuardWarning, guardWarning } from '../core/contextTools/guard';
import { readRegularNow } from '../node/files/fileByteSource';
import { cacheFolder } from '../node/files/userFolders';
import { makeFolder } from '../node/files/makeFolder';
import { thisMachine } from '../node/thisMachine';
import { guardedSession } from './guardedSession';
import { printHelp } from './output/ownWords';

// An agent waits for a hook, so this is a bundle of its own without the other commands.

/**
 * Reads the input of a hook from the standard input and prints its output, if there is something to say.
 * @param limit a prompt that costs so many US dollars more than with a warm cache is blocked
 */
export async function runGuard(limit: number): Promise<void> {
  const input: unknown = parseJson(readFileSync(0, 'utf8'));
  const act = guardedAct(input);
  const path = stringAt(input, 'transcript_path');
  if (act === undefined || path === undefined) {
    return;
  }
  // An agent must not be held up by a session that cannot be read.
  const session = await guardedSession(path, stringAt(input, 'model')).catch(() => undefined);
  const warning = guardWarning(act, session, Date.now());
  if (warning !== undefined && (await isNew(path, warning))) {
    printHelp(`${JSON.stringify(outputOf(act, warning, limit))}\n`);
  }
}

/** The output of a hook: a message, and a decision only where the user has set a limit. */
function outputOf({ kind }: GuardedAct, { sentence, money }: GuardWarning, limit: number): unknown {
  const message = `Context Inspector: ${sentence}`;
  const isOver = money > limit;
  return kind === 'prompt' && isOver ? { decision: 'block', reason: message } : { systemMessage: message };
}

/** True if this was not said about this state of the session before. Remembers it in the user's cache folder. */
async function isNew(session: string, { kind, state }: GuardWarning): Promise<boolean> {
  // Loading it takes as long as reading the session, and most hooks have nothing to say.
  const { createHash } = await import('node:crypto');
  const folder = join(cacheFolder(thisMachine()), 'guard');
  const name = createHash('sha256').update(session).digest('hex').slice(0, 32);
  const file = join(folder, `${name}-${kind}`);
  try {
    if (readRegularNow(file).toString('utf8') === state) {
      return false;
    }
  } catch {
    // Nothing was said yet.
  }
  try {
    makeFolder(folder);
    // Whatever is there now may be a link or a pipe.
    rmSync(file, { force: true });
    writeFileSync(file, state, { mode: 0o600, flag: 'wx' });
    deleteOld(folder);
  } catch {
    // It will be said again.
  }
  return true;
}

/** How long the program remembers what it has said about a session, in milliseconds. */
const longestKept = 14 * 86_400_000;

function deleteOld(folder: string): void {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    const { mtimeMs = Date.now() } = statSync(path, { throwIfNoEntry: false }) ?? {};
    if (Date.now() - mtimeMs > longestKept) {
      rmSync(path, { force: true });
    }
  }
}
