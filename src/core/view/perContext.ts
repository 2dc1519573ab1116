import { entryOf } from '../base/entryOf';
import type { SessionColumns } from '../model/columns';

const noBlocks = new Uint32Array();

/**
 * Caches results that are computed from a context, by session. Requests are prefixes of their context, so viewing one
 * after the other processes the context once.
 */
export function perContext<Value>(
  make: (columns: SessionColumns, context: Uint32Array) => Value,
): (columns: SessionColumns, context: number) => Value {
  const sessions = new WeakMap<SessionColumns, Map<number, Value>>();
  return (columns, context) => {
    const values = entryOf(sessions, columns, () => new Map<number, Value>());
    return entryOf(values, context, () => make(columns, columns.contexts[context] ?? noBlocks));
  };
}
