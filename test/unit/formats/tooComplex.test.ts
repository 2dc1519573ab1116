import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { after, before, describe, it } from 'node:test';
import { isTooComplex, parseJson } from '../../../src/core/base/json';
import { ClaudeCodeSession } from '../../fixtures/claudeCodeSession';
import { cliPath, CommandLine } from '../../fixtures/commandLine';

/** Megabytes of memory and seconds of processor time of the whole program. */
const most = { memory: 300, time: 3 };

/** Prints the program's peak memory in kilobytes and its time in microseconds when it ends. */
const measured = `process.on('exit', () => {
  const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage();
  process.stderr.write(\`\\nMEASURED \${maxRSS} \${userCPUTime + systemCPUTime}\`);
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

  for (const [name, { text, requests }] of Object.entries(inputs)) {
    it(`is read around it, or refused in one sentence, in little time and memory: ${name}`, () => {
      const path = program.write('huge.jsonl', text());
      const preload = `data:text/javascript,${encodeURIComponent(measured)}`;
      const { status, stdout, stderr } = spawnSync(
        process.execPath,
        ['--import', preload, cliPath, 'status', path, '--json'],
        { encoding: 'utf8', maxBuffer: 1 << 26 },
      );
      const [, said = '', memory, time] =
        /^([^]*)\nMEASURED (\d+) (\d+)$/.exec(stderr) ?? assert.fail(stderr);
      assert.ok(Number(memory) / 1024 < most.memory, `${Number(memory) / 1024} MB`);
      assert.ok(Number(time) / 1e6 < most.time, `${Number(time) / 1e6} s`);
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
