import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import * as v from 'valibot';
import {
  commandIds,
  examplePath,
  sessionsViewId,
  stepContext,
  viewType,
  walkthroughId,
} from '../../../src/host/manifest';
import { firstSteps } from '../../../src/protocol/inspectorPage';

const manifest = v.parse(
  v.object({
    activationEvents: v.array(v.string()),
    extensionKind: v.array(v.string()),
    capabilities: v.object({
      untrustedWorkspaces: v.object({
        supported: v.string(),
        description: v.string(),
        restrictedConfigurations: v.array(v.string()),
      }),
      virtualWorkspaces: v.boolean(),
    }),
    contributes: v.object({
      customEditors: v.array(v.object({ viewType: v.string(), priority: v.string() })),
      views: v.record(
        v.string(),
        v.array(v.object({ id: v.string(), icon: v.string(), type: v.optional(v.string()) })),
      ),
      viewsContainers: v.object({ activitybar: v.array(v.object({ id: v.string(), icon: v.string() })) }),
      commands: v.array(v.object({ command: v.string() })),
      keybindings: v.array(
        v.object({ command: v.string(), key: v.string(), mac: v.string(), when: v.string() }),
      ),
      configurationDefaults: v.object({ 'files.readonlyInclude': v.record(v.string(), v.literal(true)) }),
      walkthroughs: v.array(
        v.object({
          id: v.string(),
          steps: v.array(v.object({ completionEvents: v.array(v.string()) })),
        }),
      ),
      menus: v.record(v.string(), v.array(v.object({ command: v.string() }))),
      configuration: v.object({
        properties: v.record(v.string(), v.object({ scope: v.optional(v.string()) })),
      }),
    }),
  }),
  JSON.parse(readFileSync('package.json', 'utf8')),
);
const { contributes } = manifest;

describe('the manifest', () => {
  it('declares the commands and the editor that the code knows', () => {
    assert.deepStrictEqual(
      {
        commands: contributes.commands.map(({ command }) => command).sort(),
        editors: contributes.customEditors,
      },
      {
        commands: Object.values(commandIds).sort(),
        editors: [{ viewType, priority: 'option' }],
      },
    );
  });

  it('says the same of the settings as the table of the code', () => {
    const { status, stderr } = spawnSync(process.execPath, ['scripts/manifest.mjs', '--check'], {
      encoding: 'utf8',
    });
    assert.deepEqual([status, stderr], [0, '']);
  });

  it('shows the sessions in a container of its own, with icons that are there', () => {
    const [container] = contributes.viewsContainers.activitybar;
    const views = contributes.views[container?.id ?? ''] ?? [];
    assert.deepStrictEqual(
      views.map(({ id, type }) => [id, type]),
      [[sessionsViewId, 'webview']],
    );
    for (const icon of [container?.icon ?? '', ...views.map(view => view.icon)]) {
      assert.match(readFileSync(icon, 'utf8'), /^<svg [^>]*stroke="currentColor"/);
    }
  });

  it('runs where the folders and the agents are, in a remote window too', () => {
    assert.deepEqual(manifest.extensionKind, ['workspace']);
  });

  it('reads folders that the user adds from the machine alone: a foreign workspace adds none', () => {
    assert.equal(contributes.configuration.properties['contextInspector.sessions.folders']?.scope, 'machine');
  });

  it('takes what it says of asking models from the user alone: no workspace or container names an address', () => {
    const asking = Object.entries(contributes.configuration.properties).filter(([key]) =>
      key.startsWith('contextInspector.asking.'),
    );
    assert.ok(asking.length > 0);
    for (const [key, { scope }] of asking) {
      assert.equal(scope, 'application', key);
    }
  });

  it('gives keys to declared commands alone, each in its place', () => {
    const known = new Set<string>(Object.values(commandIds));
    for (const { command, key, mac, when } of contributes.keybindings) {
      assert.ok(known.has(command), command);
      assert.ok(key.startsWith('ctrl+') && mac === key.replace('ctrl', 'cmd'), key);
      assert.match(when, /activeCustomEditorId == contextInspector\.transcript|resourceExtname == \.jsonl/);
    }
  });

  it('completes each step of the walkthrough by what the extension knows to happen', () => {
    const [walkthrough, ...others] = contributes.walkthroughs;
    assert.deepStrictEqual(others, []);
    assert.equal(walkthrough?.id, walkthroughId);
    assert.deepStrictEqual(
      walkthrough.steps.flatMap(({ completionEvents }) => completionEvents),
      [
        `onCommand:${commandIds.openExample}`,
        `onView:${sessionsViewId}`,
        ...firstSteps.map(step => `onContext:${stepContext(step)}`),
      ],
    );
  });

  it('keeps the example from being edited', () => {
    const [pattern = ''] = Object.keys(contributes.configurationDefaults['files.readonlyInclude']);
    const path = `/home/ada/.vscode/extensions/context-inspector.context-inspector-0.1.0/${examplePath.join('/')}`;
    const parts = pattern.split('**').map(part => part.replaceAll('.', '\\.').replaceAll('*', '[^/]*'));
    assert.match(path, new RegExp(`^${parts.join('.*')}$`));
  });

  it('puts only declared commands into menus', () => {
    const known = new Set<string>(Object.values(commandIds));
    const inMenus = Object.values(contributes.menus).flatMap(items => items.map(({ command }) => command));
    assert.deepStrictEqual(
      inMenus.filter(command => !known.has(command)),
      [],
    );
  });

  it('activates after VS Code has started, for its status bar, and works in workspaces that are not trusted, but for asking models, or not on a disk', () => {
    assert.deepStrictEqual(
      [manifest.activationEvents, manifest.capabilities],
      [
        ['onStartupFinished', 'onUri'],
        {
          untrustedWorkspaces: {
            supported: 'limited',
            description: '%capabilities.untrusted%',
            restrictedConfigurations: Object.keys(contributes.configuration.properties).filter(
              key => !key.startsWith('contextInspector.prune.'),
            ),
          },
          virtualWorkspaces: true,
        },
      ],
    );
  });

  it('has a text for every key, and no text without one', () => {
    const texts = v.parse(
      v.record(v.string(), v.string()),
      JSON.parse(readFileSync('package.nls.json', 'utf8')),
    );
    const used = new Set(
      [...readFileSync('package.json', 'utf8').matchAll(/"%(?<key>[^%"]+)%"/g)].map(
        match => match.groups?.['key'],
      ),
    );
    assert.deepStrictEqual(Object.keys(texts).sort(), [...used].sort());
    for (const [key, text] of Object.entries(texts)) {
      if (key.startsWith('settings.')) {
        assert.match(text, /\S\.$/, key);
      }
    }
  });
});
