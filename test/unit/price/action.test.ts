import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { load } from 'js-yaml';
import { arrayAt, isObject, member, objectAt, parseJson, stringAt } from '../../../src/core/base/json';
import { commentMark } from '../../../src/cli/output/priceMarkdown';
import { price } from '../../../src/cli/commands/price';

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

  it('calls options that price has, in the published version', () => {
    const [script = ''] = steps.map(step => stringAt(step, 'run') ?? '');
    const used = [...script.matchAll(/--([a-z-]+)(?==|\b)/g)].flatMap(([, name = '']) =>
      ['yes'].includes(name) ? [] : [name],
    );
    assert.deepEqual(
      used.filter(name => !price.help.includes(`--${name}`)),
      [],
    );
    const manifest = parseJson(readFileSync('package.json', 'utf8'));
    const version = member(member(member(action, 'inputs'), 'version'), 'default');
    assert.equal(version, stringAt(manifest, 'version'));
    assert.ok((stringAt(steps[1], 'run') ?? '').includes(commentMark));
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
