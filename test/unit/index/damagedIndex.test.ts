import assert from 'node:assert/strict';
import { copyFileSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { isObject, parseJson } from '../../../src/core/base/json';
import { ClaudeCodeSession } from '../../fixtures/claudeCodeSession';
import { CommandLine } from '../../fixtures/commandLine';
import { IndexedHome } from '../../fixtures/indexedHome';
import { randomNumbers, someOf } from '../../fixtures/variants';

const sessions = 30;
const pageSize = 4096;
const mostChanged = 30;
const damages = 1000;
const tried = 40;

/** Questions, each with another way through the index. The last one comes after a file has changed. */
const questions = [
  ['usage', '--json'],
  ['usage', '--by', 'tool', '--json'],
  ['usage', '--by', 'session', '--json'],
] as const;

/** The sums of an answer, as exact as the order of the files allows, without those of sessions whose texts were read. */
function sumsOf(text: string): unknown {
  const answer = parseJson(text);
  assert.ok(isObject(answer), text);
  return JSON.parse(
    JSON.stringify(answer, (name, value: unknown) =>
      name === 'losses' ? undefined : typeof value === 'number' ? Number(value.toPrecision(12)) : value,
    ),
  );
}

describe('an index with changed bytes', () => {
  const home = new IndexedHome();
  const program = new CommandLine();
  const variables = {
    HOME: home.folder,
    XDG_CACHE_HOME: join(home.folder, 'caches'),
    CONTEXT_INSPECTOR_INDEX: home.indexFolder,
  };
  const database = join(home.indexFolder, 'sessions.db');
  const whole = join(home.folder, 'whole.db');
  const ask = (words: readonly string[]) => program.runWith(variables, ...words);
  const expected: unknown[] = [];
  const paths: string[] = [];

  before(async () => {
    for (let number = 0; number < sessions; number += 1) {
      const id = `toolu_${String(number)}`;
      const session = new ClaudeCodeSession()
        .prompt(`Where is the walrus of rock ${String(number)}?`)
        .reply({ tool: 'Read', id, input: { file_path: `/rocks/${String(number)}` } })
        .result(id, `Rock ${String(number)} is ${'wet '.repeat(number)}.`)
        .reply({ text: 'It swims.' });
      const name = `${String(number).padStart(8, '0')}-1111-4111-8111-111111111111`;
      paths.push(home.write(`.claude/projects/zoo/${name}.jsonl`, session.toString()));
    }
    program.workIn(home.folder);
    for (const words of questions) {
      const { code, stdout } = await ask(words);
      assert.equal(code, 0);
      expected.push(sumsOf(stdout));
    }
    assert.equal((await ask(['search', 'walrus'])).code, 0);
    copyFileSync(database, whole);
  });
  after(() => {
    home.remove();
    program.remove();
  });

  it('gives the right sums or says that it cannot, wherever they are', async () => {
    const intact = readFileSync(whole);
    const pages = intact.length / pageSize;
    assert.ok(pages > 20, `${pages} pages`);
    let noticed = 0;
    for (const seed of someOf([...Array(damages).keys()], tried)) {
      const numbers = randomNumbers(seed);
      const below = (most: number): number => Math.floor(numbers.next().value * most);
      const bytes = Buffer.from(intact);
      // One byte, several of a page, or several anywhere. The pages take turns.
      const start = (seed % pages) * pageSize;
      const [length, from, range] =
        seed % 3 === 0
          ? [1, start, pageSize]
          : seed % 3 === 1
            ? [mostChanged, start, pageSize]
            : [mostChanged, 0, bytes.length];
      for (let count = 0; count < length; count += 1) {
        bytes[from + below(range)] = below(256);
      }
      writeFileSync(database, bytes);
      const which = below(questions.length);
      const changed = paths[below(sessions)] ?? '';
      if (which === questions.length - 1) {
        utimesSync(changed, new Date(), new Date(1_790_000_000_000 + seed));
      }
      const { code, stdout, stderr } = await ask(questions[which] ?? []);
      const what = `damage ${String(seed)}: ${stderr}`;
      noticed += stderr === '' ? 0 : 1;
      assert.doesNotMatch(stderr, /\n\s+at |Error:/, what);
      if (code === 0) {
        assert.deepEqual(sumsOf(stdout), expected[which], what);
      } else {
        assert.match(stderr, /^[^\n]*\.\n$/, what);
        assert.equal(stdout, '', what);
      }
    }
    assert.ok(noticed > 0, 'some damage is noticed');
  });
});
