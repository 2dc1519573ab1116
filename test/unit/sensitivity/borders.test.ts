import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { defaultPruneOptions } from '../../../src/core/model/pruneConfig';
import { Gate } from '../../../src/core/sensitivity/gate';
import { scanText } from '../../../src/core/sensitivity/scanTexts';
import { secretScanner } from '../../../src/node/secrets/secretScannerOnDemand';
import { ClaudeCodeSession } from '../../fixtures/claudeCodeSession';
import { makeCopy } from '../../fixtures/prunedCopies';
import { someOf } from '../../fixtures/variants';

const token = ['ghp', 'k9Q2mX7vT4bR8wZ3pLd6NcY1sHf5gJ0aEuWq'].join('_');
const pair = `DATABASE_PASSWORD=${['qV7', 'mT2', 'rK9', 'xW4'].join('')}`;

/** Positions around a border: those at which a text of this length crosses it, and some on either side. */
function shiftsAround(border: number, length: number): readonly number[] {
  return someOf(
    Array.from({ length: length + 89 }, (_, index) => border - length - 80 + index),
    40,
  );
}

/** Words up to a length, ending with a blank. */
function filler(length: number, words = 'the price of a book is what it says '): string {
  return words.repeat(Math.ceil(length / words.length)).slice(0, Math.max(0, length - 1)) + ' ';
}

describe('a secret across a border of what is looked at together', () => {
  it('is found in a long text', async () => {
    for (const secret of [token, pair]) {
      for (const start of shiftsAround(2 ** 18, secret.length)) {
        const text = `${filler(start)}${secret} ${filler(300)}`;
        const found = await scanText(text, secretScanner);
        assert.ok(
          found.some(({ label, end }) => label === 'restricted' && end === start + secret.length),
          `${secret} at ${start}`,
        );
      }
    }
  });

  it('is found behind characters that are no ASCII', async () => {
    for (const start of [2 ** 18 - 41, 2 ** 18 - 40, 2 ** 18 - 3, 2 ** 18 + 3]) {
      const text = `${filler(start, 'Größe 寸法 😀 ')}${token} ${filler(300)}`;
      const [found] = (await scanText(text, secretScanner)).filter(({ label }) => label === 'restricted');
      assert.equal(text.slice(found?.start, found?.end), token);
    }
  });

  it('is found with its name in the members of a large record', async () => {
    const secret = ['qV7', 'mT2', 'rK9', 'xW4'].join('');
    const named = `{"name":"API_KEY","value":"${secret}"}`;
    const rows: string[] = [];
    for (let length = 0; length < 2 ** 16 - 300; length += 24) {
      rows.push('{"name":"title","value":"ab"}');
    }
    for (let shift = 180; shift < 320; shift += 6) {
      const text = `[${[...rows, `{"name":"x","value":"${'a'.repeat(shift)}"}`, named, ...rows.slice(0, 9)].join()}]`;
      const gate = new Gate(secretScanner);
      await gate.learnJson(text);
      assert.ok(!(await gate.json(text)).includes(secret), `shifted by ${shift}`);
    }
  });

  it('is found where all of a long text is written by number', async () => {
    for (let shift = 0; shift < 200; shift += 5) {
      const text = `https://a.example/?q=${'%20ab'.repeat(400)}${'a'.repeat(shift)}%26${pair.replace('=', '%3D')}%26b`;
      const found = await scanText(text, secretScanner);
      assert.ok(
        found.some(({ label }) => label === 'restricted'),
        `shifted by ${shift}`,
      );
    }
  });

  it('is seen in a finished output however that is cut', async () => {
    const before = filler(2 ** 20 + 200);
    const bytes = Buffer.from(`${before}é ${token} 😀`);
    const at = bytes.indexOf(token);
    const gate = new Gate(secretScanner);
    await gate.learn(token);
    const cuts = Array.from({ length: bytes.length - at + 5 }, (_, index) => at - 4 + index);
    for (const cut of someOf(cuts, 20)) {
      for (const parts of [
        [bytes.subarray(0, cut), bytes.subarray(cut)],
        [
          bytes.subarray(0, at - 2),
          ...[...bytes.subarray(at - 2, cut)].map(byte => Uint8Array.of(byte)),
          bytes.subarray(cut),
        ],
      ]) {
        const passed = gate.checked(chunksOf(parts));
        await assert.rejects(async () => {
          for (let part = await passed.next(); part.done !== true; part = await passed.next()) {
            // Only the check of the whole matters.
          }
        }, /would still contain a credential/);
      }
    }
  });

  it('is taken out of a copy whose bytes are read in parts', async () => {
    const session = (length: number): string =>
      new ClaudeCodeSession()
        .prompt(filler(length))
        .reply(
          { text: `Use ${token} for it.` },
          { tool: 'Bash', id: 'toolu_a', input: { command: `a ${pair}` } },
        )
        .result('toolu_a', 'done')
        .reply({ text: 'Done.' })
        .toString();
    const empty = Buffer.from(session(1)).indexOf(token);
    for (const damage of ['', '"']) {
      for (let start = 2 ** 20 - token.length - 3; start <= 2 ** 20 + 2; start += 8) {
        const length = start - empty;
        const text = session(length).replace('Use ghp', `Use ${damage}ghp`);
        const { bytes } = await makeCopy(text, { ...defaultPruneOptions(), minimumTokens: 0 });
        assert.ok(!bytes.includes(token.slice(4, 20)) && !bytes.includes(pair.slice(-8)), `at ${start}`);
      }
    }
  });
});

async function* chunksOf(parts: readonly Uint8Array[]): AsyncGenerator<Uint8Array, undefined> {
  for (const part of parts) {
    yield await Promise.resolve(part);
  }
  return undefined;
}
