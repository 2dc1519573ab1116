import assert from 'node:assert/strict';
import { it } from 'node:test';
import { openedSamples } from '../../test/fixtures/openedSamples';
import { skipWithout } from '../../test/fixtures/sharedFiles';
import { remaindersOf } from '../samples/breakdownSums';

it('breakdowns of recorded sessions leave nothing over', { skip: skipWithout('samples') }, async () => {
  for await (const { file, session } of openedSamples()) {
    assert.deepEqual(remaindersOf(session), { unequal: 0, request: 0, session: 0 }, file);
  }
});
