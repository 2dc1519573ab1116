import { entryOf } from '../base/entryOf';
import type { SessionColumns } from '../model/columns';

const noBlocks = new Uint32Array();

/**
 * Caches by session what is computed from a context. Requests are prefixes of their context, so viewing one after the
 * other processes it once.
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
