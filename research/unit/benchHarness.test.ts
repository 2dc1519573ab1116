import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { claudeCodeFile } from '../../test/generator/claudeCodeFile';
import { appendSteps } from '../../test/generator/lines';
import { interleaved, median, ratioOf, runProgram, type Row } from '../bench/measure';
import { reportWith, type Outcome } from '../bench/report';

const programs = 'research/bench/programs';
const folder = mkdtempSync(join(tmpdir(), 'context-inspector-bench-test-'));
after(() => rmSync(folder, { recursive: true, force: true }));

function rowOf(parts: Partial<Row>): Row {
  return {
    work: 'ours',
    against: 'other 1.2.3',
    unit: 'ms',
    ours: [],
    theirs: [],
    target: { kind: 'share', most: 1 },
    ...parts,
  };
}

describe('measuring', () => {
  it('takes the middle of the figures', () => {
    assert.equal(median([9, 1, 5]), 5);
    assert.equal(median([4, 1, 3, 2]), 2.5);
    assert.ok(Number.isNaN(median([])));
  });

  it('compares times, sizes and rates by what the target asks for', () => {
    // 30 ms against 60 ms: half the time, twice as fast. Rounds: 20 / 60, 30 / 30 and 60 / 90.
    const times = { ours: [20, 30, 60], theirs: [60, 30, 90] };
    assert.deepEqual(ratioOf(rowOf({ ...times, target: { kind: 'share', most: 0.5 } })), {
      median: 0.5,
      least: 1 / 3,
      most: 1,
      isMet: true,
    });
    assert.deepEqual(ratioOf(rowOf({ ...times, target: { kind: 'better', least: 2.5 } })), {
      median: 2,
      least: 1,
      most: 3,
      isMet: false,
    });
    const rates = rowOf({ unit: 'MB/s', ours: [90], theirs: [30], target: { kind: 'better', least: 3 } });
    assert.deepEqual(ratioOf(rates), { median: 3, least: 3, most: 3, isMet: true });
  });

  it('measures in turn, and lets each begin in turn', async () => {
    const turns: string[] = [];
    const note = (name: string) => () => turns.push(name);
    await interleaved(3, note('ours'), note('theirs'));
    assert.deepEqual(turns, ['ours', 'theirs', 'theirs', 'ours', 'ours', 'theirs']);
  });

  it('runs the floor over a generated file, and sees its memory', async () => {
    const path = join(folder, 'session.jsonl');
    const file = claudeCodeFile({ seed: 21 });
    const bytes = appendSteps(path, file, 2 ** 20);
    assert.ok(bytes >= 2 ** 20 && bytes < 3 * 2 ** 20, `${bytes} bytes`);
    const peak = ['--require', `./${programs}/peak.cjs`];
    const run = await runProgram(process.execPath, [...peak, `${programs}/floor.mjs`, path]);
    assert.equal(Number(run.output), file.facts.lines);
    assert.ok(run.peakMegabytes > 20 && run.peakMegabytes < 1000, `${run.peakMegabytes} MB`);
    assert.ok(run.milliseconds > 0);
  });

  it('sees the threads of a program', async () => {
    const code = "const { Worker } = require('node:worker_threads'); new Worker('', { eval: true })";
    const preloaded = ['--require', `./${programs}/peak.cjs`];
    const { workers } = await runProgram(process.execPath, [...preloaded, '--eval', code]);
    assert.equal(workers, 1);
  });

  it('tells why a program failed', async () => {
    await assert.rejects(
      runProgram(process.execPath, ['--eval', 'console.error("no such file"); process.exit(3)']),
      /no such file/,
    );
  });
});

describe('the report', () => {
  const order = ['first', 'second'];
  const measured = (bench: string, ours: number): Outcome => ({
    kind: 'measured',
    bench,
    row: rowOf({ ours: [ours], theirs: [100], target: { kind: 'share', most: 1.5 } }),
  });
  const write = (outcomes: readonly Outcome[], before: string, machine = 'a small one'): string =>
    reportWith(outcomes, before, { order, day: '2026-03-01', machine });
  const rows = (report: string): string[] =>
    report.split('\n').filter(line => order.some(name => line.startsWith(`| ${name} |`)));

  it('shows target and result side by side', () => {
    assert.deepEqual(rows(write([measured('first', 200)], '')), [
      '| first | ours | other 1.2.3 | 200 ms | 100 ms | 2.00 (2.00 – 2.00) | at most 1.5 × | **no** | 2026-03-01 |',
    ]);
  });

  it('replaces the rows that were measured again, and keeps the others in order', () => {
    const before = write([measured('first', 200), measured('second', 100)], '');
    const report = write([measured('second', 120), measured('second', 130)], before);
    assert.deepEqual(
      rows(report).map(line => line.split(' | ')[3]),
      ['200 ms', '120 ms', '130 ms'],
    );
  });

  it('keeps nothing that another machine measured', () => {
    const before = write([measured('first', 200)], '');
    assert.equal(rows(write([measured('second', 100)], before, 'a large one')).length, 1);
  });

  it('says what could not be measured, on one line', () => {
    const [row = ''] = rows(write([{ kind: 'failed', bench: 'first', reason: 'no\nsuch | file' }], ''));
    assert.match(row, /not measured: no such \\\| file/);
  });
});
