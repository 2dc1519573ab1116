import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import * as v from 'valibot';
import { parseJson } from '../../core/base/json';
import { type IndexedSession, indexedSession } from '../../core/index/indexedSession';

/** A row of a statement's result. */
export type Row = Readonly<Record<string, unknown>>;

/** The rows of a statement's result. */
export function rowsOf(
  database: DatabaseSync,
  statement: string,
  values: readonly SQLInputValue[] = [],
): readonly Row[] {
  return database.prepare(statement).all(...values);
}

/** The index was changed by something else than this program. */
export class IndexDamage extends Error {
  override readonly name = 'IndexDamage';
}

export const damaged = (what: string): IndexDamage => new IndexDamage(`The index is damaged: ${what}.`);

// A value of a type other than the table's was damaged.

export function numberOf(value: unknown): number {
  if (typeof value !== 'number') {
    throw damaged('a number is missing');
  }
  return value;
}

export function textOf(value: unknown): string {
  if (typeof value !== 'string') {
    throw damaged('a text is missing');
  }
  return value;
}

export function bytesOf(value: unknown): Uint8Array {
  if (!(value instanceof Uint8Array)) {
    throw damaged('bytes are missing');
  }
  return value;
}

export function sessionOf(value: unknown): IndexedSession {
  const parsed = v.safeParse(indexedSession, parseJson(textOf(value)));
  if (!parsed.success) {
    throw damaged('a session is not described');
  }
  return parsed.output;
}
