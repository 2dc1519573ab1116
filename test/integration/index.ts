import { setTimeout as sleep } from 'node:timers/promises';

/** The outcome of one test; a skipped one has its reason. */
type Outcome =
  | { readonly kind: 'passed' }
  | { readonly kind: 'skipped'; readonly reason: string }
  | { readonly kind: 'failed'; readonly error: unknown };

interface Test {
  readonly name: string;
  readonly body: () => Promise<void>;
  /** The reason why it cannot run here; undefined if it can. */
  readonly skip: string | undefined;
}

/** Ends a test that hangs. No test takes nearly this long. */
const timeoutMilliseconds = 900_000;

const tests: Test[] = [];

/**
 * Registers a test for `run`. Tests run one after another in one VS Code window, in the order of files and of calls.
 */
export function test(
  name: string,
  body: () => Promise<void>,
  { skip }: { readonly skip?: string | undefined } = {},
): void {
  tests.push({ name, body, skip });
}

async function outcomeOf({ body, skip }: Test): Promise<Outcome> {
  if (skip !== undefined) {
    return { kind: 'skipped', reason: skip };
  }
  const ended = new AbortController();
  try {
    const timeout = sleep(timeoutMilliseconds, undefined, { signal: ended.signal }).then(() => {
      throw new Error(`The test took longer than ${timeoutMilliseconds} ms.`);
    });
    await Promise.race([body(), timeout]);
    return { kind: 'passed' };
  } catch (error) {
    return { kind: 'failed', error };
  } finally {
    ended.abort();
  }
}

const describe = (error: unknown): string =>
  error instanceof Error ? (error.stack ?? error.message) : String(error);

function line(number: number, name: string, outcome: Outcome): string {
  switch (outcome.kind) {
    case 'passed':
      return `ok ${number} - ${name}`;
    case 'skipped':
      return `ok ${number} - ${name} # SKIP ${outcome.reason}`;
    case 'failed':
      return `not ok ${number} - ${name}\n${describe(outcome.error)}`;
  }
}

/**
 * The entry point that VS Code calls for its test run. Prints one line per test and the totals; rejects if a test
 * failed.
 */
export async function run(): Promise<void> {
  const counts = { passed: 0, skipped: 0, failed: 0 };
  for (const [index, each] of tests.entries()) {
    const start = performance.now();
    const outcome = await outcomeOf(each);
    counts[outcome.kind]++;
    console.log(line(index + 1, each.name, outcome));
    console.log(`  ${((performance.now() - start) / 1000).toFixed(1)} s`);
  }
  console.log(`# pass ${counts.passed}\n# fail ${counts.failed}\n# skipped ${counts.skipped}`);
  if (counts.failed > 0) {
    throw new Error(`${counts.failed} integration tests failed.`);
  }
}
