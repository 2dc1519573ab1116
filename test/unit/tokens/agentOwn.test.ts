import assert from 'node:assert/strict';
import { it } from 'node:test';
import { agentSizeOf } from '../../../src/core/tokens/agentOwn';

const versionFor = (name: string, ...versions: readonly string[]): string | undefined =>
  agentSizeOf(name, versions)?.version;

it('gives the sizes of the version of the session, or of the next one that was run', () => {
  assert.equal(versionFor('Claude Code', '2.1.332'), '2.1.332');
  assert.equal(versionFor('Claude Code', '2.1.330'), '2.1.330');
  assert.equal(versionFor('Claude Code', '2.1.42'), '2.1.330');
  assert.equal(versionFor('Claude Code', '2.1.330', '2.1.331'), '2.1.332');
  assert.equal(versionFor('Claude Code', '2.9.0'), '2.1.332');
  assert.equal(versionFor('Codex', '0.171.0'), '0.171.0');
});

it('gives the newest without a version, and none of another major version', () => {
  assert.equal(versionFor('Claude Code'), '2.1.332');
  assert.equal(versionFor('pi', 'session format 3'), '1.6.0');
  assert.equal(versionFor('pi', '0.90.0'), '0.87.1');
  assert.equal(versionFor('pi', '2.0.0'), undefined);
  assert.equal(versionFor('nobody'), undefined);
});

it('has other sizes for models with another prompt', () => {
  const system = (model?: string): number | undefined =>
    agentSizeOf('Claude Code', ['2.1.332'], model)?.system;
  assert.equal(system('claude-opus-5-5'), system());
  assert.ok((system('claude-opus-4-6') ?? 0) > 2 * (system() ?? 0));
});
