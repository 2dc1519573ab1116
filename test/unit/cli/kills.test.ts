import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { addToolTurns, ClaudeCodeSession } from '../../fixtures/claudeCodeSession';
import { cliPath, CommandLine } from '../../fixtures/commandLine';
import { someOf } from '../../fixtures/variants';

const sessions = 12;
const project = ['home', '.claude', 'projects', 'zoo'] as const;

/** A user's home with sessions, and an empty folder for exports. */
class Home {
  readonly commandLine = new CommandLine();
  readonly exports = join(this.commandLine.folder, 'exports');
  readonly paths: readonly string[];
  readonly variables: Readonly<Record<string, string>>;

  constructor() {
    const { folder } = this.commandLine;
    const zoo = join(folder, ...project);
    mkdirSync(zoo, { recursive: true });
    mkdirSync(this.exports);
    this.paths = Array.from({ length: sessions }, (_, number) => {
      const id = `0000000${number.toString(16)}-1111-4111-8111-111111111111`;
      const path = join(zoo, `${id}.jsonl`);
      // Each has another cost, so that their order is certain. The newest turns are never pruned.
      const session = addToolTurns(
        new ClaudeCodeSession(id),
        `Where is the walrus ${number}?`,
        6 + number,
        20_000,
      )
        .prompt('And now?')
        .reply({ text: 'It swims.' })
        .prompt('Thanks')
        .reply({ text: 'Gladly.' });
      writeFileSync(path, session.toString());
      return path;
    });
    this.variables = {
      HOME: join(folder, 'home'),
      USERPROFILE: join(folder, 'home'),
      CLAUDE_CONFIG_DIR: join(folder, 'home', '.claude'),
      CONTEXT_INSPECTOR_INDEX: join(folder, 'index'),
    };
  }

  /** Makes the index read every session again, though each still says the same. */
  touchAll(minute: number): void {
    const time = new Date(Date.UTC(2026, 0, 6, 0, minute));
    this.paths.forEach(path => utimesSync(path, time, time));
  }

  /** The file that the command writes when nothing ends it. */
  async whole(words: readonly string[]): Promise<string> {
    const { code, stdout, stderr } = await this.commandLine.runWith(this.variables, ...words);
    assert.equal(code, 0, `${words.join(' ')}: ${stderr}`);
    return stdout;
  }

  /** Starts the built program and kills it after this time. Returns true if it had not ended by then. */
  async killed(words: readonly string[], milliseconds: number): Promise<boolean> {
    const child = spawn(process.execPath, [cliPath, ...words], {
      stdio: 'ignore',
      env: { ...process.env, XDG_CACHE_HOME: join(this.commandLine.folder, 'caches'), ...this.variables },
    });
    const moment = setTimeout(() => child.kill('SIGKILL'), milliseconds);
    await once(child, 'exit');
    clearTimeout(moment);
    return child.signalCode === 'SIGKILL';
  }
}

/** A command that writes a file. */
interface Export {
  readonly words: readonly string[];
  /** The time that it takes when nobody kills it. */
  readonly milliseconds: number;
  /** The part of its file that is the same every time. */
  readonly same: (text: string) => unknown;
  readonly right: unknown;
}

/** Every kill has a number, which chooses the command, the moment and the state of the index. */
const kills = [...Array(200).keys()];
/** Fractions that fill the time of a command evenly, however many are taken. */
const momentOf = (kill: number): number => (kill * 0.618_033_988_749) % 1;

/** The number of members of a line; fails for a line that was cut. */
function membersOf(line: string): number {
  return Object.keys(recordOf(JSON.parse(line))).length;
}

function recordOf(value: unknown): object {
  assert.ok(typeof value === 'object' && value !== null);
  return value;
}

/** Sums depend in their last digits on the order of the sessions. */
const rounded = (_: string, value: unknown): unknown =>
  typeof value === 'number' ? Number(value.toFixed(6)) : value;

describe('a command that is killed', () => {
  const home = new Home();
  const index = home.variables['CONTEXT_INSPECTOR_INDEX'] ?? '';
  after(() => home.commandLine.remove());
  const [session = ''] = home.paths;

  /** The time that a command takes from its start to its end here and now, in milliseconds. */
  async function timeOf(words: readonly string[]): Promise<number> {
    const began = performance.now();
    assert.equal(await home.killed(words, 600_000), false);
    return performance.now() - began;
  }

  it('while it writes an export leaves no file or a whole one, and the next one cleans up', async () => {
    const options = home.commandLine.write('prune.json', '{"protectTokens":0,"minimumTokens":0}');
    const target = join(home.exports, 'export.html');
    const commands: readonly (readonly [words: Export['words'], same: Export['same']])[] = [
      [['report', session, '--out', target], text => text.replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '')],
      [['prune', session, '--config', options, '--out', target], text => text],
      // Every twin has other names.
      [['anonymise', session, '--out', target], text => text.trimEnd().split('\n').map(membersOf)],
    ];
    const known: Export[] = [];
    for (const [words, same] of commands) {
      const milliseconds = await timeOf(words);
      known.push({ words, milliseconds, same, right: same(readFileSync(target, 'utf8')) });
      rmSync(target);
    }
    let inTime = 0;
    for (const kill of someOf(kills.slice(0, 100), 4)) {
      const chosen = known[kill % known.length];
      assert.ok(chosen !== undefined);
      const { words, milliseconds, same, right } = chosen;
      inTime += (await home.killed(words, milliseconds * momentOf(kill))) ? 1 : 0;
      if (existsSync(target)) {
        assert.deepEqual(same(readFileSync(target, 'utf8')), right, `kill ${kill}`);
        rmSync(target);
      }
      await home.whole(words);
      assert.deepEqual(same(readFileSync(target, 'utf8')), right, `after kill ${kill}`);
      rmSync(target);
      assert.deepEqual(readdirSync(home.exports), [], `kill ${kill}`);
    }
    console.log(`  ${inTime} exports were killed before their end.`);
  });

  it('while it writes the index leaves one that gives the same sums and words', async () => {
    const usage = ['usage', '--json', '--by', 'session', '--losses'];
    const search = ['search', 'walrus', '--json'];
    const answers = async (): Promise<readonly unknown[]> => [
      recordOf(JSON.parse(await home.whole(usage), rounded)),
      // All have the same time, and no order.
      new Set((await home.whole(search)).match(/"session": ?"[^"]+"/g)),
    ];
    home.touchAll(0);
    const milliseconds = [await timeOf(usage), await timeOf(search)];
    const right = await answers();
    let inTime = 0;
    for (const kill of someOf(kills.slice(100), 4)) {
      if (kill % 4 < 2) {
        rmSync(index, { recursive: true, force: true });
      }
      home.touchAll(kill);
      const words = kill % 2 === 0 ? usage : search;
      inTime += (await home.killed(words, (milliseconds[kill % 2] ?? 0) * momentOf(kill))) ? 1 : 0;
      home.touchAll(0);
      assert.deepEqual(await answers(), right, `kill ${kill}`);
    }
    console.log(`  ${inTime} updates of the index were killed before their end.`);
  });
});
