import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { load } from 'js-yaml';
import { arrayAt, isObject, member, objectAt, parseJson, stringAt } from '../../../src/core/base/json';
import { commentMark } from '../../../src/cli/output/priceMarkdown';
import { price } from '../../../src/cli/commands/price';
import { cliPath } from '../../fixtures/commandLine';

const action: unknown = load(readFileSync('action.yml', 'utf8'));
const steps = arrayAt(member(action, 'runs'), 'steps');

/** The members of each object that GitHub documents (Metadata syntax reference, for composite actions). */
const known = {
  action: ['name', 'author', 'description', 'inputs', 'outputs', 'runs', 'branding'],
  input: ['description', 'required', 'default', 'deprecationMessage'],
  step: ['run', 'shell', 'if', 'name', 'id', 'env', 'working-directory', 'uses', 'with', 'continue-on-error'],
};

const keys = (value: unknown): readonly string[] => (isObject(value) ? Object.keys(value) : []);
const unknownIn = (value: unknown, names: readonly string[]): readonly string[] =>
  keys(value).filter(name => !names.includes(name));

describe('the action', () => {
  it('keeps to the documented contract', () => {
    assert.deepEqual(unknownIn(action, known.action), []);
    assert.ok(stringAt(action, 'name') && stringAt(action, 'description'));
    // For the marketplace: a colour of its list, and an icon.
    const branding = member(action, 'branding');
    assert.deepEqual(unknownIn(branding, ['icon', 'color']), []);
    const colours = ['white', 'black', 'yellow', 'blue', 'green', 'orange', 'red', 'purple', 'gray-dark'];
    assert.ok(colours.includes(stringAt(branding, 'color') ?? ''));
    assert.match(stringAt(branding, 'icon') ?? '', /^[a-z-]+$/);
    assert.deepEqual(unknownIn(member(action, 'runs'), ['using', 'steps']), []);
    assert.equal(stringAt(member(action, 'runs'), 'using'), 'composite');
    for (const [name, input] of Object.entries(objectAt(action, 'inputs') ?? {})) {
      assert.deepEqual(unknownIn(input, known.input), [], name);
      assert.equal(typeof member(input, 'description'), 'string', name);
      // Inputs are texts.
      assert.equal(typeof member(input, 'default'), 'string', name);
      assert.equal(member(input, 'required'), false, name);
    }
    for (const step of steps) {
      assert.deepEqual(unknownIn(step, known.step), []);
      assert.equal(stringAt(step, 'shell'), 'bash', 'each run of a composite action needs a shell');
    }
    const ids = steps.flatMap(step => stringAt(step, 'id') ?? []);
    for (const output of Object.values(objectAt(action, 'outputs') ?? {})) {
      const [, id = ''] =
        /^\$\{\{ steps\.(\w+)\.outputs\.\w+ \}\}$/.exec(stringAt(output, 'value') ?? '') ?? [];
      assert.ok(ids.includes(id), stringAt(output, 'value'));
    }
  });

  it('puts no input into a script, uses every input, and needs the token for the comment only', () => {
    const scripts = steps.map(step => stringAt(step, 'run') ?? '');
    assert.ok(scripts.every(script => !script.includes('${{')));
    const expressions = steps.map(step => JSON.stringify([member(step, 'env'), member(step, 'if')]));
    for (const name of keys(member(action, 'inputs'))) {
      assert.ok(
        expressions.some(text => text.includes(`inputs.${name}`)),
        name,
      );
    }
    assert.ok(!(expressions[0] ?? '').includes('inputs.token'));
    assert.match(stringAt(steps[1], 'if') ?? '', /inputs\.comment == 'true'/);
  });

  it('calls options that price has, of the program in its own checkout', () => {
    const [script = ''] = steps.map(step => stringAt(step, 'run') ?? '');
    const calls = script.slice(script.indexOf('price()'));
    const used = [...calls.matchAll(/--([a-z-]+)(?==|\b)/g)].map(([, name = '']) => name);
    assert.deepEqual(
      used.filter(name => !price.help.includes(`--${name}`)),
      [],
    );
    assert.match(calls, /node "\$ACTION\/dist\/cli\.js" price/);
    assert.equal(stringAt(member(steps[0], 'env'), 'ACTION'), '${{ github.action_path }}');
    assert.ok((stringAt(steps[1], 'run') ?? '').includes(commentMark));
  });
});

/** Runs a step as a runner does: the script in a file, with the variables of the step and of the runner. */
class Runner {
  readonly folder = mkdtempSync(join(tmpdir(), 'context-inspector-action-'));
  readonly repository = join(this.folder, 'repository');
  /** The checkout of the action. */
  readonly checkout = join(this.folder, 'action');
  private readonly programs = join(this.folder, 'programs');
  private readonly replies = join(this.folder, 'replies.txt');

  constructor() {
    mkdirSync(this.repository);
    mkdirSync(this.programs);
    this.git('init', '-q', '-b', 'main');
    for (const text of ['# Rules\n', '# Rules\n\n- Use whole cents.\n- Run the tests first.\n']) {
      writeFileSync(join(this.repository, 'AGENTS.md'), text);
      this.git('add', '-A');
      this.git('commit', '-qm', 'state');
    }
    // The program is built already. A recorded answer stands for GitHub's; the token of a workflow has no user.
    mkdirSync(join(this.checkout, 'dist'), { recursive: true });
    symlinkSync(cliPath, join(this.checkout, 'dist', 'cli.js'));
    this.program('npm', `printf '%s\\n' "$*" >> "${this.path('npm.txt')}"`);
    this.program(
      'gh',
      `printf '%s\\n' "$*" >> "${this.path('gh.txt')}"; case "$*" in *--paginate*) cat "${this.replies}"; echo "$AUTHOR" > "${this.path('author.txt')}";; 'api user'*) exit 1;; esac`,
    );
  }

  run(step: unknown, variables: Readonly<Record<string, string>>, comments = '') {
    assert.deepEqual(keys(member(step, 'env')).toSorted(), Object.keys(variables).toSorted());
    const script = this.path('script.sh');
    writeFileSync(script, stringAt(step, 'run') ?? '');
    writeFileSync(this.replies, comments);
    ['summary.md', 'output.txt', 'gh.txt', 'npm.txt'].forEach(name => writeFileSync(this.path(name), ''));
    const { status, stdout, stderr } = spawnSync(
      'bash',
      ['--noprofile', '--norc', '-eo', 'pipefail', script],
      {
        cwd: this.repository,
        encoding: 'utf8',
        env: {
          PATH: `${this.programs}:${process.env['PATH'] ?? ''}`,
          HOME: this.folder,
          LANG: 'C.UTF-8',
          GITHUB_ACTIONS: 'true',
          GITHUB_OUTPUT: this.path('output.txt'),
          GITHUB_REPOSITORY: 'owner/library',
          GITHUB_STEP_SUMMARY: this.path('summary.md'),
          RUNNER_TEMP: this.folder,
          ...variables,
        },
      },
    );
    return { status, stdout, stderr };
  }

  path(name: string): string {
    return join(this.folder, name);
  }

  text(name: string): string {
    return readFileSync(this.path(name), 'utf8');
  }

  private git(...words: readonly string[]): void {
    execFileSync('git', ['-C', this.repository, '-c', 'user.name=a', '-c', 'user.email=a@b', ...words]);
  }

  private program(name: string, script: string): void {
    writeFileSync(join(this.programs, name), `#!/bin/bash\n${script}\n`, { mode: 0o755 });
  }
}

describe('the steps of the action', { skip: process.platform === 'win32' && 'needs bash' }, () => {
  const runner = new Runner();
  const given = {
    BASE: 'HEAD~1',
    MAX_TOKENS: '',
    MODEL: '',
    REQUESTS: '',
    SARIF: '',
    ACTION: runner.checkout,
  };
  after(() => {
    rmSync(runner.folder, { recursive: true });
  });

  it('write annotations, a summary, the report as one line, and SARIF', () => {
    const sarif = runner.path('price.sarif');
    const { status, stdout, stderr } = runner.run(steps[0], {
      ...given,
      MAX_TOKENS: '1000',
      MODEL: 'gpt-5.5',
      REQUESTS: '100',
      SARIF: sarif,
    });
    assert.equal(status, 0, stderr);
    assert.match(stdout, /^::warning file=AGENTS\.md,line=1,title=Price of this change::\+\d+ tokens/m);
    const summary = runner.text('summary.md');
    assert.ok(summary.startsWith(commentMark) && summary.includes('| `AGENTS.md` | Codex |'));
    assert.equal(runner.text('price.md'), summary);
    const [, report = ''] = /^report=(\{.*\})\n$/.exec(runner.text('output.txt')) ?? [];
    assert.deepEqual(arrayAt(parseJson(report), 'changed'), ['AGENTS.md']);
    assert.equal(arrayAt(parseJson(runner.text('price.sarif')), 'runs').length, 1);
    assert.equal(
      runner.text('npm.txt'),
      `ci --prefix ${runner.checkout} --ignore-scripts --no-audit --no-fund\nrun --silent build --prefix ${runner.checkout}\n`,
    );
  });

  it('fail above the limit, after the report is written', () => {
    const { status } = runner.run(steps[0], { ...given, MAX_TOKENS: '1' });
    assert.equal(status, 1);
    assert.match(runner.text('output.txt'), /^report=\{/);
  });

  it('take an input for a value, whatever it contains', () => {
    const planted = runner.path('planted');
    const hostile = `1"; touch ${planted}; $(touch ${planted})`;
    for (const names of [['BASE', 'MODEL', 'REQUESTS'], ['MAX_TOKENS']]) {
      const values = Object.fromEntries(names.map(name => [name, hostile]));
      assert.notEqual(runner.run(steps[0], { ...given, ...values }).status, 0);
      assert.ok(!existsSync(planted), names.join(', '));
    }
  });

  it('write one comment, and change it in the next run', () => {
    const variables = { GH_TOKEN: 'x', NUMBER: '7' };
    assert.equal(runner.run(steps[1], variables).status, 0);
    assert.match(
      runner.text('gh.txt'),
      /^api --method POST repos\/owner\/library\/issues\/7\/comments -F body=@.*price\.md$/m,
    );
    assert.equal(runner.run(steps[1], variables, '41\n42\n').status, 0);
    assert.match(
      runner.text('gh.txt'),
      /^api --method PATCH repos\/owner\/library\/issues\/comments\/41 -F body=@/m,
    );
    assert.doesNotMatch(runner.text('gh.txt'), /POST/);
    // Anybody can write a comment with the marker.
    assert.match(stringAt(steps[1], 'run') ?? '', /select\(\.user\.login == env\.AUTHOR and /);
    assert.equal(runner.text('author.txt'), 'github-actions[bot]\n');
  });
});

it('has a hook for pre-commit that runs price', () => {
  const hooks: unknown = load(readFileSync('.pre-commit-hooks.yaml', 'utf8'));
  const [hook] = arrayAt({ hooks }, 'hooks');
  assert.deepEqual(
    ['id', 'name', 'entry', 'language'].filter(name => stringAt(hook, name) === undefined),
    [],
  );
  assert.match(stringAt(hook, 'entry') ?? '', /^context-inspector price /);
  const files = new RegExp(stringAt(hook, 'files') ?? '');
  assert.ok(
    ['CLAUDE.md', 'a/AGENTS.md', '.mcp.json', '.claude/settings.json'].every(path => files.test(path)),
  );
  assert.ok(!files.test('src/code.ts'));
});
