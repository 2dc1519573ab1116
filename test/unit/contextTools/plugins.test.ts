import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { contextTools } from '../../../src/core/contextTools/contextTools';

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

  it('do not go into the extension or the package of the command line', () => {
    for (const list of ['.vscodeignore', '.npmignore']) {
      const lines = readFileSync(list, 'utf8').split('\n');
      assert.ok(lines.includes('**') && !lines.some(line => line.includes('plugins')), list);
    }
  });
});
