import assert from 'node:assert/strict';
import { readFileSync, rmSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { addToolTurns, ClaudeCodeSession } from '../fixtures/claudeCodeSession';
import { test } from './index';
import { closeEverything, editorThat, openAlone, temporaryFile } from './inspector';
import { appendCopies, copyNumber } from './material';

/** Maximum time that the product may block the extension host, in milliseconds. */
const longestHold = 50;
const tickMilliseconds = 5;

/**
 * A megabyte: a compaction, then twenty calls with results of 25 kB, which the agent stores twice. Each copy has its
 * own ids.
 */
const round = addToolTurns(
  new ClaudeCodeSession().compact('They spoke of shelves.'),
  'Look at all of them.',
  20,
  25_000,
)
  .toString()
  .replaceAll(/00000000-0000|(?<=(?:msg|req|toolu)_)/g, copyNumber);

/** Milliseconds of work by the extension host's thread, as the kernel counts them. */
const worked = (): number =>
  Number.parseInt(readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8'), 10) / 1e6;

interface Stall {
  /** Between two ticks. */
  readonly milliseconds: number;
  /** The part of this time during which the thread worked. */
  readonly worked: number;
}

/**
 * Notes the stall in which the extension host worked longest while `body` runs. A stall without work of its thread is
 * due to the machine. All work in the extension host counts, including VS Code's own.
 */
async function worstStall(body: () => Promise<void>): Promise<Stall & { readonly delay: number }> {
  const delay = monitorEventLoopDelay({ resolution: tickMilliseconds });
  let worst: Stall = { milliseconds: 0, worked: 0 };
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

/** Blocks the extension host like work without a pause. */
function hold(milliseconds: number): void {
  for (const end = worked() + milliseconds; worked() < end;) {
    // It works.
  }
}

test(
  'never holds the extension host while a transcript of 500 MB is opened and grows',
  async () => {
    const uri = temporaryFile(
      'huge.jsonl',
      new ClaudeCodeSession('huge').prompt('Begin.').reply({ text: 'Gladly.' }).toString(),
    );
    try {
      await closeEverything();
      const seen = await worstStall(() => {
        hold(longestHold);
        return Promise.resolve();
      });
      assert.ok(seen.worked >= longestHold, 'a hold is seen');
      await appendCopies(uri.fsPath, round, 1, 470);
      const stall = await worstStall(async () => {
        await openAlone(uri);
        let { requests = 0 } = await editorThat(uri, 'it is shown', ({ state }) => state === 'shown');
        for (let copy = 471; copy <= 474; copy += 1) {
          await appendCopies(uri.fsPath, round, copy, copy);
          const before = requests;
          ({ requests = 0 } = await editorThat(uri, 'it follows', now => (now.requests ?? 0) > before));
        }
      });
      const [time, work] = [stall.milliseconds, stall.worked].map(Math.round);
      const said = `The extension host worked for at most ${work} ms without a pause, of ${time} ms.`;
      console.log(`  ${said} The longest delay of its event loop was ${Math.round(stall.delay)} ms.`);
      assert.ok(stall.worked <= longestHold, said);
    } finally {
      await closeEverything();
      rmSync(uri.fsPath);
    }
  },
  { skip: process.platform === 'linux' ? undefined : 'only Linux says for how long a thread has worked' },
);
