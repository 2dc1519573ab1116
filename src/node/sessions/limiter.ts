/** Runs at most this many tasks at once. The others wait in order. */
export function createLimiter(most: number): <Result>(task: () => Promise<Result>) => Promise<Result> {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async task => {
    if (running >= most) {
      await new Promise<void>(resolve => {
        waiting.push(resolve);
      });
    } else {
      running += 1;
    }
    try {
      return await task();
    } finally {
      // The next task takes over the slot directly, so no other task can take it first.
      const next = waiting.shift();
      if (next === undefined) {
        running -= 1;
      } else {
        next();
      }
    }
  };
}
