import { createHash } from 'node:crypto';
import { mkdir, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import * as v from 'valibot';
import { entryOf } from '../core/base/entryOf';
import {
  type SessionDescription,
  sessionDescription,
  type SessionUsage,
  sessionUsage,
} from '../core/finder/sessionDescription';
import { textChunks, writeNewFile } from './newFile';

/** How many sessions are kept. Each takes about 500 bytes. */
const mostSessions = 10_000;

/** Something that was found out, and the state of the file at that time. */
const noted = <Schema extends v.GenericSchema>(value: Schema) => v.strictObject({ state: v.string(), value });

const entrySchema = v.strictObject({
  description: v.exactOptional(noted(sessionDescription)),
  usage: v.exactOptional(noted(sessionUsage)),
});
type Entry = v.InferOutput<typeof entrySchema>;

const fileSchema = v.strictObject({
  madeWith: v.string(),
  sessions: v.array(v.tuple([v.string(), entrySchema])),
});

/** What is known of a session. Older figures are better than none while a file that has changed is read again. */
export interface Known<Value> {
  readonly value: Value;
  /** Whether the file has not changed since. */
  readonly isCurrent: boolean;
}

/**
 * What the list of sessions shows of each session, kept in one file from one opening to the next. It holds only texts that
 * have passed the gate, and hashes in place of paths. The file can be deleted at any time; a damaged one, or one of another
 * version, counts as missing. The sessions that were looked at last are kept.
 */
export class SessionCache {
  private readonly entries = new Map<string, Entry>();
  /** The list asks for each of its sessions several times, so the hashes of paths are kept. */
  private readonly keys = new Map<string, string>();
  private hasChanged = false;

  /**
   * @param path the cache's file; undefined to keep everything in memory
   * @param madeWith the version of the program, and whatever else the descriptions depend on
   */
  constructor(
    private readonly path: string | undefined,
    private readonly madeWith: string,
    private readonly most = mostSessions,
  ) {}

  /** Reads the file. What was found out meanwhile is kept. Never rejects. */
  async load(): Promise<void> {
    if (this.path === undefined) {
      return;
    }
    try {
      const file = v.parse(fileSchema, JSON.parse(await readFile(this.path, 'utf8')));
      if (file.madeWith === this.madeWith) {
        const newer = [...this.entries];
        this.entries.clear();
        [...file.sessions, ...newer].forEach(([key, entry]) => this.entries.set(key, entry));
      }
    } catch {
      // Everything is found out again.
    }
  }

  description(path: string, state: string): Known<SessionDescription> | undefined {
    return known(this.entry(path).description, state);
  }

  usage(path: string, state: string): Known<SessionUsage> | undefined {
    return known(this.entry(path).usage, state);
  }

  setDescription(path: string, state: string, value: SessionDescription): void {
    this.change(path, { description: { state, value } });
  }

  setUsage(path: string, state: string, value: SessionUsage): void {
    this.change(path, { usage: { state, value } });
  }

  /** Writes the file if there is anything new. Only the user can read it. Never rejects. */
  async save(): Promise<void> {
    const { path } = this;
    if (path === undefined || !this.hasChanged) {
      return;
    }
    this.hasChanged = false;
    const text = JSON.stringify({ madeWith: this.madeWith, sessions: [...this.entries] });
    try {
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      await writeNewFile(path, textChunks(text), { overwrite: true, notOver: '' });
    } catch {
      // Without the file, everything is found out again.
    }
  }

  private entry(path: string): Entry {
    return this.entries.get(this.keyOf(path)) ?? {};
  }

  private keyOf(path: string): string {
    return entryOf(this.keys, path, () => createHash('sha256').update(path).digest('hex').slice(0, 20));
  }

  private change(path: string, change: Partial<Entry>): void {
    const key = this.keyOf(path);
    const entry = { ...this.entries.get(key), ...change };
    // The last entry of the map is the one that was used last.
    this.entries.delete(key);
    this.entries.set(key, entry);
    for (const oldest of this.entries.keys()) {
      if (this.entries.size <= this.most) {
        break;
      }
      this.entries.delete(oldest);
    }
    this.hasChanged = true;
  }
}

function known<Value>(
  note: { readonly state: string; readonly value: Value } | undefined,
  state: string,
): Known<Value> | undefined {
  return note === undefined ? undefined : { value: note.value, isCurrent: note.state === state };
}
