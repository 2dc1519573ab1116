import { readFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';

/**
 * Maximum time that the product may block the extension host, in milliseconds: as long as a person takes to notice. A
 * slow machine needs half of it for VS Code's own work.
 */
export const longestHold = 100;
const tickMilliseconds = 5;

/** The reason why a stall cannot be measured here, for the `skip` of a test; undefined if it can. */
export const stallUnknown =
  process.platform === 'linux' ? undefined : 'only Linux says for how long a thread has worked';

/** Milliseconds of work by the extension host's thread, as the kernel counts them. */
export const worked = (): number =>
  Number.parseInt(readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8'), 10) / 1e6;

export interface Stall {
  /** Between two ticks. */
  readonly milliseconds: number;
  /** The part of this time during which the thread worked. */
  readonly worked: number;
  /** The longest delay of the event loop in all the time. */
  readonly delay: number;
}

/**
 * Notes the stall in which the extension host worked longest while `body` runs. A stall without work of its thread is
 * due to the machine. All work in the extension host counts, including VS Code's own.
 */
export async function worstStall(body: () => Promise<void>): Promise<Stall> {
  const delay = monitorEventLoopDelay({ resolution: tickMilliseconds });
  let worst = { milliseconds: 0, worked: 0 };
  let last = { time: performance.now(), worked: worked() };
  const note = (): void => {
    const now = { time: performance.now(), worked: worked() };
    const stall = { milliseconds: now.time - last.time, worked: now.worked - last.worked };
    worst = stall.worked > worst.worked ? stall : worst;
    last = now;
  };
  const ticking = setInterval(note, tickMilliseconds);
  delay.enable();
  try {
    await body();
    note();
  } finally {
    delay.disable();
    clearInterval(ticking);
  }
  return { ...worst, delay: delay.max / 1e6 };
}

/** The worst stall in words. */
export function stallSentence({ milliseconds, worked: work, delay }: Stall): string {
  const [time, worst, longest] = [milliseconds, work, delay].map(Math.round);
  return `The extension host worked for at most ${worst} ms without a pause, of ${time} ms. The longest delay of its event loop was ${longest} ms.`;
}
