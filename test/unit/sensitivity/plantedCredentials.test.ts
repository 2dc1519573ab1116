import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fileFindings, findingRows } from '../../../src/core/export/fileFindings';
import { scanText } from '../../../src/core/sensitivity/scanTexts';
import { credentialScanner, secretScanner } from '../../../src/node/secrets/secretScannerOnDemand';
import { Random } from '../../generator/random';
import { ClaudeCodeSession } from '../../fixtures/claudeCodeSession';
import { openTranscriptBytes } from '../../fixtures/openedTranscript';
import { placedKinds } from '../../fixtures/credentialKinds';
import { plantedCredentials, plantedRequest, plantedTranscript } from '../../fixtures/plantedCredentials';
import { openCounted } from '../../fixtures/prunedCopies';

/** Places whose texts are not in blocks. */
const outsideOfBlocks: readonly string[] = ['toolName', 'damagedLine'];
const enough = 0.98;
/** With this many nested strings, 63 backslashes precede a quote. */
const deepest = 6;

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

  it('are found in JSON in strings to any depth, if they are found at all', async () => {
    const random = new Random(3);
    const missed: string[] = [];
    for (const [kind, make] of Object.entries(placedKinds)) {
      let { before, secret, after } = make(random);
      const isFound = await covered([before + secret + after], secret);
      for (let depth = 1; isFound && depth <= deepest; depth += 1) {
        const [inside, outside = '', rest = ''] = [secret, before, after].map(part =>
          JSON.stringify(part).slice(1, -1),
        );
        [before, secret, after] = [`{"data":"${outside}`, inside ?? '', `${rest}"}`];
        if (!(await covered([before + secret + after], secret))) {
          missed.push(`${kind}, ${depth} deep: ${before}${secret}${after}`);
        }
      }
    }
    assert.deepEqual(missed, []);
  });

  it('are counted with their lines, wherever in the file they stand', async () => {
    for (const seed of [4, 5, 6]) {
      const planted = plantedCredentials(seed);
      const text = plantedTranscript(planted);
      const session = await openCounted(text);
      const found = await fileFindings(session, secretScanner);
      const lines = new Set(found.flatMap(({ label, line }) => (label === 'restricted' ? [line] : [])));
      const written = text.split('\n');
      const missed = planted.filter(({ secret }) => {
        // Names have blanks where other texts have line breaks.
        const forms = [secret, secret.replaceAll('\n', ' ')].map(form => JSON.stringify(form).slice(1, -1));
        const at = written.findIndex(line => forms.some(form => line.includes(form)));
        assert.ok(at >= 0, secret);
        return !lines.has(at + 1);
      });
      assert.ok(
        missed.length <= (1 - enough) * planted.length,
        missed.map(({ kind, place, text: whole }) => `${kind} in ${place}: ${whole}`).join('\n'),
      );
      const places = new Set(found.map(({ place }) => place));
      assert.ok(places.has('damagedLine') && places.has('name') && places.has('text'));
    }
  });

  it('are not counted where only personal data are, and a home folder counts once', async () => {
    const session = await openCounted(
      new ClaudeCodeSession()
        .prompt('Read /home/marlene/shop/a.ts and /home/marlene/shop/b.ts')
        .reply({ text: 'Both are in /home/marlene/shop; ask otto@quillworks.io.' })
        .toString(),
    );
    await session.scan();
    const { sensitivity } = session.toSession().columns.blocks;
    assert.deepEqual([...sensitivity].filter(label => label > 0).length, 1, 'only the address marks a block');
    // The session itself was recorded in another session.
    const rows = findingRows(await fileFindings(session, secretScanner));
    assert.deepEqual(
      rows.map(({ rule, place, count }) => [rule, place, count]),
      [
        ['homeFolder', 'text', 2],
        ['emailAddress', 'text', 1],
      ],
    );
    assert.deepEqual(await fileFindings(session, credentialScanner), []);
  });
});
