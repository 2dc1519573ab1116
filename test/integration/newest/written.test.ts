import assert from 'node:assert/strict';
import { unusedContributions } from '../contributions';
import { windowMissing } from '../driver';
import { test } from '../index';
import { unexpectedEntries } from '../logs';

// The last file of its window.

test(
  'has used everything that the package contributes',
  () => {
    assert.deepEqual(unusedContributions(), []);
    return Promise.resolve();
  },
  {
    skip:
      windowMissing ??
      (process.env['TEST_WHOLE'] === 'yes' ? undefined : 'only some files of the window were chosen'),
  },
);

test(
  'has written nothing to the logs and the console but what VS Code says of itself',
  async () => assert.deepEqual(await unexpectedEntries(), []),
  { skip: windowMissing },
);
