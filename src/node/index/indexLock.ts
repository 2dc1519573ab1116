import { randomUUID } from 'node:crypto';
import { readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { isRunning } from '../newFile';

/** How often a lock is asked for that another program has, in milliseconds. */
const pause = 15;
/** How long a lock is kept at most without a sign of life, in milliseconds: a transaction takes a fraction of it. */
const longestSilence = 60_000;

/** Thrown where another program kept the lock for too long. */
export class LockedError extends Error {
  override readonly name = 'LockedError';
}

/**
 * A file that only one program at a time has. One that a program left behind when it was ended is taken over: its process
 * does not run, or it has shown no sign of life.
 */
export class FileLock {
  private readonly content = `${hostname()} ${process.pid} ${randomUUID()}`;

  constructor(private readonly path: string) {}

  /**
   * Does work while no other program has the lock. Rejects with LockedError, and with the error of the file system where the
   * lock cannot be written.
   * @param longest how long to wait for it, in milliseconds
   */
  async hold<Result>(work: () => Result, longest: number): Promise<Result> {
    for (const end = Date.now() + longest; !this.take();) {
      if (Date.now() > end) {
        throw new LockedError('The lock is held by another program.');
      }
      await sleep(pause);
    }
    try {
      return work();
    } finally {
      this.release();
    }
  }

  private take(): boolean {
    try {
      writeFileSync(this.path, this.content, { flag: 'wx', mode: 0o600 });
      return true;
    } catch (error) {
      if (!isThere(error)) {
        if (isFull(error)) {
          // It is there, and empty.
          rmSync(this.path, { force: true });
        }
        throw error;
      }
    }
    const held = this.read();
    if (held !== undefined && this.isAbandoned(held)) {
      this.remove(held);
    }
    return false;
  }

  private isAbandoned(held: string): boolean {
    const [host, id] = held.split(' ');
    if (host === hostname() && !isRunning(Number(id))) {
      return true;
    }
    try {
      return Date.now() - statSync(this.path).mtimeMs > longestSilence;
    } catch {
      return false;
    }
  }

  /** Moved away first, so that of several programs that see the same abandoned lock none removes the next holder's. */
  private remove(held: string): void {
    const away = `${this.path}.${randomUUID()}`;
    try {
      renameSync(this.path, away);
      if (readFileSync(away, 'utf8') === held) {
        rmSync(away, { force: true });
      } else {
        renameSync(away, this.path);
      }
    } catch {
      // Another program was faster.
    }
  }

  private release(): void {
    if (this.read() === this.content) {
      rmSync(this.path, { force: true });
    }
  }

  private read(): string | undefined {
    try {
      return readFileSync(this.path, 'utf8');
    } catch {
      return undefined;
    }
  }
}

function isThere(error: unknown): boolean {
  // Windows says EPERM or EBUSY while a file is being removed.
  return (
    error instanceof Error &&
    'code' in error &&
    (error.code === 'EEXIST' ||
      (process.platform === 'win32' && (error.code === 'EPERM' || error.code === 'EBUSY')))
  );
}

function isFull(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT');
}
