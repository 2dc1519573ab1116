import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { scanText } from '../../../src/core/sensitivity/scanTexts';
import { secretScanner } from '../../../src/node/secretScannerOnDemand';
import { openTranscriptBytes } from '../../fixtures/openedTranscript';
import { plantedCredentials, plantedRequest, plantedTranscript } from '../../fixtures/plantedCredentials';

/** Places whose texts are no block's text. */
const outsideOfBlocks: readonly string[] = ['toolName', 'damagedLine'];
const enough = 0.98;

async function covered(texts: readonly string[], secret: string): Promise<boolean> {
  const inJson = JSON.stringify(secret).slice(1, -1);
  for (const text of texts) {
    const shown = [secret, inJson].find(form => text.includes(form));
    if (shown !== undefined) {
      const at = text.indexOf(shown);
      const found = await scanText(text, secretScanner);
      if (
        found.some(
          ({ label, start, end }) => label === 'restricted' && start <= at && end >= at + shown.length,
        )
      ) {
        return true;
      }
    }
  }
  return false;
}

describe('planted credentials', () => {
  it('are of many kinds, and nearly all are found whole in the blocks of a transcript', async () => {
    for (const seed of [1, 2, 3]) {
      const planted = plantedCredentials(seed);
      assert.ok(planted.length === 150 && new Set(planted.map(({ kind }) => kind)).size >= 60);
      const { texts } = await openTranscriptBytes(plantedTranscript(planted));
      const request = await openTranscriptBytes(
        plantedRequest(planted.filter(({ place }) => place === 'systemPrompt')),
      );
      const missed: string[] = [];
      for (const { kind, secret, text, place } of planted) {
        const where = outsideOfBlocks.includes(place)
          ? [text]
          : place === 'systemPrompt'
            ? request.texts
            : texts;
        if (!(await covered(where, secret))) {
          missed.push(`${kind} in ${place}: ${text}`);
        }
      }
      assert.ok(missed.length <= (1 - enough) * planted.length, missed.join('\n'));
    }
  });
});
