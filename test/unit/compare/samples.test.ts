import assert from 'node:assert/strict';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { compareSessions } from '../../../src/core/compare/compareSessions';
import { differingParts } from '../../../src/core/compare/compareWords';
import { openTranscript } from '../../../src/core/session/openTranscript';
import { decoderTools } from '../../../src/node/databases/database';
import { decodeText } from '../../../src/node/files/decodeText';
import { openFile } from '../../../src/node/files/fileByteSource';
import { sharedFolder } from '../../fixtures/openedTranscript';
import { someOf } from '../../fixtures/variants';

/** Larger samples have no more kinds of records, and take long to count. */
const largest = 3_000_000;

it('a sample of up to 3 MB has no difference from itself', async test => {
  const folder = sharedFolder(test, 'samples');
  if (folder === undefined) {
    return;
  }
  let compared = 0;
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();
  for (const name of someOf(names, 15)) {
    const path = join(folder, name);
    const { size } = statSync(path);
    if (!statSync(path).isFile() || size > largest) {
      continue;
    }
    const source = await openFile(path);
    try {
      const open = () =>
        openTranscript(source, {
          fileName: name,
          scanner: { scan: () => Promise.resolve([]) },
          decodeText,
          tools: decoderTools,
        });
      const [one, other] = [await open(), await open()];
      if (!one.ok || !other.ok) {
        continue;
      }
      const [first, second] = [one.session, other.session];
      await first.countTokens();
      await second.countTokens();
      const comparison = await compareSessions(
        { session: first, request: undefined },
        { session: second, request: undefined },
      );
      assert.deepEqual(differingParts(comparison), [], name);
      compared += 1;
    } finally {
      await source.close();
    }
  }
  assert.ok(compared > 0, 'no sample was compared');
});
