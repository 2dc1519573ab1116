import type { SessionColumns } from '../model/columns';

const noBlocks = new Uint32Array();

/**
 * Remembers by session what is made of a context: requests are its prefixes, so that looking at one after the other goes
 * through their context once.
 */
export function perContext<Value>(
  make: (columns: SessionColumns, context: Uint32Array) => Value,
): (columns: SessionColumns, context: number) => Value {
  const sessions = new WeakMap<SessionColumns, Map<number, Value>>();
  return (columns, context) => {
    const values = sessions.get(columns) ?? new Map<number, Value>();
    sessions.set(columns, values);
    const value = values.get(context) ?? make(columns, columns.contexts[context] ?? noBlocks);
    values.set(context, value);
    return value;
  };
}
