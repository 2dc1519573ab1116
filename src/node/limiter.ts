/** Lets only so many tasks run at once; the others wait in order. */
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
      // The place is handed on, so that nobody can take it in between.
      const next = waiting.shift();
      if (next === undefined) {
        running -= 1;
      } else {
        next();
      }
    }
  };
}
