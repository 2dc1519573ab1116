import { Worker } from 'node:worker_threads';

export interface HeldThreads {
  /** True if every thread that told of a transcript it reads has ended; the list of sessions has threads of its own. */
  readonly haveEnded: () => boolean;
  readonly release: () => void;
}

/**
 * Holds back the messages of the extension's threads until `release`, starting with the first message with a property
 * of this value, or at once. So work is in progress meanwhile, however fast the machine is.
 */
export function holdThreads(from?: readonly [property: string, value: unknown]): HeldThreads {
  // oxlint-disable-next-line typescript/unbound-method -- it is called with its worker below
  const { emit } = Worker.prototype;
  const held: (() => void)[] = [];
  const threads = new Set<Worker>();
  let isHeld = from === undefined;
  const isFirst = (message: unknown): boolean =>
    from !== undefined &&
    typeof message === 'object' &&
    message !== null &&
    Reflect.get(message, from[0]) === from[1];
  Object.defineProperty(Worker.prototype, 'emit', {
    configurable: true,
    value(this: Worker, name: string, ...rest: readonly unknown[]): boolean {
      const pass = (): boolean => Reflect.apply(emit, this, [name, ...rest]);
      isHeld ||= name === 'message' && isFirst(rest[0]);
      if (name !== 'message' || !isHeld) {
        return pass();
      }
      if (tellsOfReading(rest[0])) {
        threads.add(this);
      }
      held.push(() => pass());
      return true;
    },
  });
  return {
    haveEnded: () => threads.size > 0 && [...threads].every(({ threadId }) => threadId === -1),
    release: () => {
      Reflect.deleteProperty(Worker.prototype, 'emit');
      held.forEach(pass => pass());
    },
  };
}

function tellsOfReading(message: unknown): boolean {
  const type: unknown =
    typeof message === 'object' && message !== null ? Reflect.get(message, 'type') : undefined;
  return type !== 'answer' && type !== 'state';
}
