import assert from 'node:assert/strict';
import { windowMissing } from './driver';
import { test } from './index';
import { closeEverything } from './inspector';
import { contributionUses, otherUses } from './inventory/entryPoints';
import { contributedCommands, otherContributions } from './inventory/manifest';
import { useEach } from './inventory/useEach';
import { inPalette, openTheExample } from './inventory/workbench';

const needsWindow = { skip: windowMissing };

// The first of all tests in its window, because it takes the steps of the walkthrough, which later tests take too.
test(
  'has a use for everything else that the package contributes',
  () =>
    useEach(otherContributions(), Object.keys(contributionUses), async name => contributionUses[name]?.()),
  needsWindow,
);

test(
  'has a use for what opens a session without a command',
  () => useEach(Object.keys(otherUses), Object.keys(otherUses), async name => otherUses[name]?.()),
  needsWindow,
);

test(
  'offers in the palette what can be done, and nothing else',
  async () => {
    const titles = (isOpen: boolean): readonly string[] =>
      contributedCommands()
        .filter(({ when }) => when === '' || (isOpen && when !== 'false'))
        .map(({ title }) => title.replace(/^.*?: /, ''))
        .toSorted();
    // VS Code adds a command for each view.
    const offered = async (): Promise<readonly string[]> =>
      (await inPalette('Context Inspector')).filter(title => !title.startsWith('Focus on ')).toSorted();
    await closeEverything();
    assert.deepEqual(await offered(), titles(false));
    await openTheExample();
    assert.deepEqual(await offered(), titles(true));
  },
  needsWindow,
);
