import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { isObject, objectAt, parseJson } from '../../../src/core/base/json';
import { contextTools } from '../../../src/core/contextTools/contextTools';
import { guardedAct } from '../../../src/core/contextTools/guard';

describe('the plugins for agents', () => {
  it('are as scripts/plugins.mjs writes them', () => {
    const { status, stderr } = spawnSync(process.execPath, ['scripts/plugins.mjs', '--check'], {
      encoding: 'utf8',
    });
    assert.deepEqual([status, stderr], [0, '']);
  });

  it('have a skill that names every tool, and no other', () => {
    const skill = readFileSync('plugins/context-inspector/skills/context-inspector/SKILL.md', 'utf8');
    assert.deepEqual(
      [...skill.matchAll(/\| `(\w+)` \|/g)].map(([, tool]) => tool),
      contextTools.map(({ name }) => name),
    );
  });

  it('leave the guard off until its own plugin is installed', () => {
    const folders = ['plugins/context-inspector', 'plugins/context-inspector-guard'];
    assert.deepEqual(
      folders.map(folder => existsSync(`${folder}/hooks/hooks.json`)),
      [false, true],
    );
    for (const name of ['hooks', 'codex']) {
      const hooks = parseJson(readFileSync(`plugins/context-inspector-guard/hooks/${name}.json`, 'utf8'));
      // Codex refuses a file with another member.
      assert.ok(isObject(hooks));
      assert.deepEqual(Object.keys(hooks), ['hooks']);
      const events = objectAt(hooks, 'hooks');
      assert.ok(isObject(events));
      for (const event of Object.keys(events)) {
        const act = guardedAct({ hook_event_name: event });
        assert.ok(act !== undefined, event);
        assert.ok(name === 'hooks' || (act.kind !== 'modelSwitch' && act.kind !== 'resume'), event);
      }
    }
  });

  it('do not go into the extension or the package of the command line', () => {
    for (const list of ['.vscodeignore', '.npmignore']) {
      const lines = readFileSync(list, 'utf8').split('\n');
      assert.ok(lines.includes('**') && !lines.some(line => line.includes('plugins')), list);
    }
  });
});
