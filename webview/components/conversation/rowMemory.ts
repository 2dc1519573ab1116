import { createContext, useContext, useState } from 'react';

/** How far the user has opened texts, by a name of each text; kept while rows leave the view and come back. */
export const RowMemory = createContext<Map<string, number>>(new Map());

/** A number that outlives its row. */
export function useRemembered(key: string, initial: number): readonly [number, (value: number) => void] {
  const memory = useContext(RowMemory);
  const [value, setValue] = useState(memory.get(key) ?? initial);
  return [
    value,
    next => {
      memory.set(key, next);
      setValue(next);
    },
  ];
}
