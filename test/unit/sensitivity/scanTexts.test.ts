import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { SensitivityFinding } from '../../../src/core/sensitivity/finding';
import { maskText } from '../../../src/core/sensitivity/maskText';
import { scanText, scanTexts, scanValue, worstLabel } from '../../../src/core/sensitivity/scanTexts';
import { secretScanner } from '../../../src/node/secrets/secretScannerOnDemand';

const letters = 'aB3dE6gH9jK2mN5pQ8sT1vW4yZ7xC0r'.repeat(4);
/** Fake, in the right form, and never complete in this file. */
const secrets = {
  github: 'gh' + 'p_' + letters.slice(0, 36),
  aws: 'AK' + 'IA' + 'Q7RZ2MNB5XKT3VWD',
  slack: 'xo' + 'xb-' + '123456789012-' + letters.slice(0, 24),
  npm: 'np' + 'm_' + letters.slice(0, 36),
  awsSecret: 'AWS_SECRET_' + 'ACCESS_KEY=' + letters.slice(5, 45),
  database: 'postgres://' + 'app:' + letters.slice(0, 12) + '@db.quillworks.io/app',
};

describe('a credential in JSON inside strings', () => {
  it('is found however often it was escaped', async () => {
    let text = `curl -d "{\\"api_key\\":\\"${letters.slice(0, 32)}\\"}" https://api.quillworks.io`;
    for (let depth = 0; depth < 8; depth += 1) {
      const [found] = await scanText(text, secretScanner);
      assert.equal(text.slice(found?.start, found?.end), letters.slice(0, 32), String(depth));
      text = JSON.stringify({ data: text });
    }
  });
});

function finding(
  start: number,
  end: number,
  rule = 'rule',
  label: SensitivityFinding['label'] = 'restricted',
): SensitivityFinding {
  return { rule, label, start, end, message: 'found something' };
}

describe('a token as a part of a name', () => {
  it('is found behind a hyphen', async () => {
    for (const token of [
      secrets.github,
      secrets.npm,
      `xkeysib-${'0f1e2d3c'.repeat(8)}-${letters.slice(0, 16)}`,
    ]) {
      const [found] = await scanText(`/work/backup-${token}.txt`, secretScanner);
      assert.equal(found?.start, '/work/backup-'.length);
    }
  });
});

describe('a very long value in base64', () => {
  it('is looked at and not refused', async () => {
    const data = 'iVBORw0KGgoA'.repeat(2e6);
    assert.deepEqual(await scanText(JSON.stringify({ data }), secretScanner), []);
    assert.deepEqual(await scanValue(data, secretScanner), []);
  });
});

describe('secretScanner', () => {
  it('finds what secretlint knows, at its place, and never repeats it', async () => {
    for (const [name, secret] of Object.entries(secrets)) {
      const text = `first line\nvalue ${secret} end`;
      const found = await secretScanner.scan(text);
      assert.ok(found.length > 0, name);
      for (const { start, end, label, message, rule } of found) {
        assert.equal(text.slice(start, end), secret, name);
        assert.equal(label, 'restricted');
        assert.match(rule, /^secretlint\/[a-z0-9-]+$/);
        assert.match(message, /^found [^:]+$/);
        assert.ok(!message.includes(secret));
      }
    }
  });

  it('cannot be switched off by the text', async () => {
    const found = await secretScanner.scan(`// secretlint-disable\n${secrets.github}\n`);
    assert.equal(found.length, 1);
  });

  it('keeps scans at the same time apart', async () => {
    const [one, none, two] = await Promise.all(
      [secrets.github, 'nothing here', `${secrets.npm} and ${secrets.aws}`].map(text =>
        secretScanner.scan(text),
      ),
    );
    assert.deepEqual([one?.length, none?.length, two?.length], [1, 0, 2]);
  });
});

describe('scanText', () => {
  it('says a thing once, and in order', async () => {
    const text = `mail ada@quillworks.io\nGITHUB_TOKEN=${secrets.github}\n`;
    const found = await scanText(text, secretScanner);
    assert.deepEqual(
      found.map(({ label, start, end }) => [label, text.slice(start, end)]),
      [
        ['private', 'ada@quillworks.io'],
        ['restricted', secrets.github],
      ],
    );
    assert.equal(worstLabel(found), 'restricted');
    assert.equal(worstLabel([]), 'public');
  });
});

describe('scanTexts', () => {
  const texts = [
    { key: 'clean', text: 'npm run build' },
    { key: 'address', text: 'ask ada@quillworks.io' },
    { key: 'key', text: secrets.aws },
  ];

  it('labels each text by its worst finding', async () => {
    const labels = [];
    for await (const { key, label } of scanTexts(texts, secretScanner)) {
      labels.push([key, label]);
    }
    assert.deepEqual(labels, [
      ['clean', 'public'],
      ['address', 'private'],
      ['key', 'restricted'],
    ]);
  });

  it('stops when it is cancelled', async () => {
    const controller = new AbortController();
    const seen: string[] = [];
    await assert.rejects(async () => {
      for await (const { key } of scanTexts(texts, secretScanner, controller.signal)) {
        seen.push(key);
        controller.abort(new Error('no longer wanted'));
      }
    }, /no longer wanted/);
    assert.deepEqual(seen, ['clean']);
  });
});

describe('maskText', () => {
  it('hides every finding completely, joined where they meet', () => {
    assert.deepEqual(
      maskText('0123456789', [
        finding(6, 8, 'mail', 'private'),
        finding(1, 4, 'first'),
        finding(3, 6, 'second'),
      ]),
      [{ text: '0' }, { masked: 7, rule: 'first', label: 'restricted' }, { text: '89' }],
    );
    assert.deepEqual(maskText('abc', []), [{ text: 'abc' }]);
    assert.deepEqual(maskText('', []), []);
    assert.deepEqual(maskText('abc', [finding(0, 3, 'all', 'private')]), [
      { masked: 3, rule: 'all', label: 'private' },
    ]);
  });

  it('names the worst finding of a joined range', () => {
    assert.deepEqual(maskText('abcd', [finding(0, 3, 'mail', 'private'), finding(1, 4, 'key')]), [
      { masked: 4, rule: 'key', label: 'restricted' },
    ]);
  });

  it('leaves nothing of a secret in the segments', async () => {
    for (const secret of Object.values(secrets)) {
      const text = `before ${secret} after`;
      const segments = maskText(text, await scanText(text, secretScanner));
      assert.ok(!JSON.stringify(segments).includes(secret));
      const shown = segments.map(segment => ('text' in segment ? segment.text : `[${segment.masked}]`));
      assert.match(shown.join(''), /^before .*\[\d+\].* after$/);
    }
  });
});
