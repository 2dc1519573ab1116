import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { after, before, describe, it } from 'node:test';
import { isTooComplex, parseJson } from '../../../src/core/base/json';
import { lazy } from '../../../src/core/base/lazy';
import { ClaudeCodeSession } from '../../fixtures/claudeCodeSession';
import { cliPath, CommandLine } from '../../fixtures/commandLine';

/** A file of one huge value may take this many times as much memory and time as one with a text of ten megabytes. */
const most = { memory: 1, time: 2 };

/**
 * Prints the program's peak memory in kilobytes and its time in microseconds when it ends. On Linux, `maxRSS` includes the
 * process that started it.
 */
const measured = `process.on('exit', () => {
  const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage();
  const { existsSync, readFileSync } = process.getBuiltinModule('node:fs');
  const status = existsSync('/proc/self/status') ? readFileSync('/proc/self/status', 'utf8') : '';
  const [, memory = maxRSS] = /VmHWM:\\s*(\\d+)/.exec(status) ?? [];
  process.stderr.write(\`\\nMEASURED \${memory} \${userCPUTime + systemCPUTime}\`);
});`;

const parts = (count: number): string =>
  `[${Array.from({ length: count }, () => '{"type":"text","text":"x"}').join(',')}]`;
const brackets = (count: number): string => '['.repeat(count) + ']'.repeat(count);
const session = (): string =>
  new ClaudeCodeSession().prompt('Where is the walrus?').reply({ text: 'Here.' }).toString();
const reply = (content: string): string =>
  `{"type":"assistant","uuid":"big","sessionId":"s","message":{"id":"msg_big","role":"assistant","content":${content}}}\n`;

/** Inputs by name, with the requests that must still be found; without, the file is refused. */
const inputs: Readonly<Record<string, { readonly text: () => string; readonly requests?: number }>> = {
  'a line of a million parts': { text: () => session() + reply(parts(1_000_000)), requests: 1 },
  'a line of millions of brackets': { text: () => `${session()}${brackets(5_000_000)}\n`, requests: 1 },
  'a record of millions of brackets': { text: () => session() + reply(brackets(5_000_000)), requests: 1 },
  'a document of a million parts': {
    text: () =>
      `{"model":"claude-opus-4-5","max_tokens":9,"messages":[{"role":"user","content":${parts(1_000_000)}}]}`,
  },
  'a document of millions of brackets': { text: () => brackets(5_000_000) },
  'an open list of millions of brackets': { text: () => '['.repeat(5_000_000) },
  'nested objects': { text: () => '{"a":'.repeat(2_000_000) + '1' + '}'.repeat(2_000_000) },
};

describe('a file of one huge value', () => {
  const program = new CommandLine();
  before(() => program.workIn(program.folder));
  after(() => program.remove());

  /** Runs the program on a file. The memory is its peak, in kilobytes; the time is of all its threads, in microseconds. */
  function run(text: string) {
    const path = program.write('huge.jsonl', text);
    const preload = `data:text/javascript,${encodeURIComponent(measured)}`;
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      ['--import', preload, cliPath, 'status', path, '--json'],
      { encoding: 'utf8', maxBuffer: 1 << 26 },
    );
    const [, said = '', memory, time] = /^([^]*)\nMEASURED (\d+) (\d+)$/.exec(stderr) ?? assert.fail(stderr);
    return { status, stdout, said, memory: Number(memory), time: Number(time) };
  }

  const long = lazy(() => run(session() + reply(JSON.stringify('x'.repeat(10_000_000)))));

  for (const [name, { text, requests }] of Object.entries(inputs)) {
    it(`is read around it, or refused in one sentence, in little time and memory: ${name}`, () => {
      const { status, stdout, said, memory, time } = run(text());
      const plain = long();
      assert.ok(memory < most.memory * plain.memory, `${memory} kB, of a text ${plain.memory} kB`);
      assert.ok(time < most.time * plain.time, `${time} µs, of a text ${plain.time} µs`);
      if (requests === undefined) {
        assert.equal(status, 2);
        assert.match(said, /^[^\n]*huge\.jsonl: [^\n]+\n?$/);
      } else {
        assert.equal(status, 0, said);
        assert.match(stdout, new RegExp(`"requests": ?${String(requests)}\\b`));
      }
    });
  }
});

describe('a value', () => {
  it('is too complex by its longest list or its depth, not by its size', () => {
    const long = 'x[{,"'.repeat(1_000_000);
    const numbers = (count: number): string => `[${'10,'.repeat(count - 1)}1]`;
    for (const [text, expected] of [
      [JSON.stringify({ text: long, escaped: `\\${long}\\` }), false],
      [numbers(250_000), false],
      [numbers(250_001), true],
      [`[${[1, 2, 3].map(() => numbers(200_000)).join(',')}]`, false],
      [`[${brackets(9_999)},${JSON.stringify(long)}]`, false],
      [`[${brackets(10_000)},${JSON.stringify(long)}]`, true],
    ] as const) {
      assert.equal(isTooComplex(text), expected, text.slice(0, 20));
      assert.equal(parseJson(text) === undefined, expected, text.slice(0, 20));
    }
  });
});
