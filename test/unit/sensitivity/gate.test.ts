import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { isObject, parseJson, stringAt } from '../../../src/core/base/json';
import { jsonTokens } from '../../../src/core/base/jsonTokens';
import { Gate } from '../../../src/core/sensitivity/gate';
import { withNamedMarks } from '../../../src/core/sensitivity/redactionMark';
import { KnownSecrets } from '../../../src/core/sensitivity/knownSecrets';
import { isMemberSecret } from '../../../src/core/sensitivity/memberSecret';
import { textChunks, writeNewFile } from '../../../src/node/files/newFile';
import { secretScanner } from '../../../src/node/secrets/secretScannerOnDemand';
import { processorTime } from '../../fixtures/linearWork';

const token = ['ghp', '16C7e42F292c6912E7710c838347Ae178B4a'].join('_');
const password = 'Zx81kk29QwErTy77';

const gate = (): Gate => new Gate(secretScanner);

it('names the rule of a redaction for people', () => {
  assert.equal(
    withNamedMarks(
      'Use [redacted: commandCredential] and [redacted: providerToken/github] for [redacted: x y].',
    ),
    'Use [redacted: Password in a command] and [redacted: Key or token: github] for [redacted: x y].',
  );
});

describe('the gate', () => {
  it('judges values with their names, in JSON inside strings too, and leaves every other byte', async () => {
    const inner = JSON.stringify({ a: JSON.stringify({ 'client-secret': password, b: 'x' }) });
    const text = `{ "password" : "${password}",\t"n":1.0, "pin":4711, "list":{"apiKeys":["${password}"]}, "in": ${JSON.stringify(inner)}}`;
    const redacted = await gate().json(text);
    assert.ok(!redacted.includes(password) && !redacted.includes('4711'), redacted);
    assert.match(redacted, /^\{ "password" : "\[redacted: \w+\]",\t"n":1\.0, "pin":"\[redacted: \w+\]", /);
    const inside = parseJson(stringAt(parseJson(stringAt(parseJson(redacted), 'in') ?? ''), 'a') ?? '');
    assert.match(stringAt(inside, 'client-secret') ?? '', /^\[redacted: /);
    assert.equal(stringAt(inside, 'b'), 'x');
  });

  it('takes nothing from the values behind a secret, though a rule matches up to the next space', async () => {
    const address = ['mongodb+srv', `//admin:${password}@cluster0.ab12c.mongodb.net/test`].join(':');
    const content = JSON.stringify({ data: JSON.stringify({ note: address }) });
    const redacted = await gate().json(
      JSON.stringify({
        messages: [
          { role: 'user', content },
          { role: 'assistant', id: 'c1' },
        ],
      }),
    );
    assert.ok(!redacted.includes(password), redacted);
    assert.ok(redacted.endsWith('{"role":"assistant","id":"c1"}]}'), redacted);
    assert.match(
      await gate().json(JSON.stringify({ content: { [address]: 'x' }, role: 'assistant' })),
      /^\{"content":\{"\[redacted: [^"]+\]":"x"\},"role":"assistant"\}$/,
    );
  });

  it('keeps redacted names apart, and a name whose value is the secret', async () => {
    const other = token.replace('16C7', '99C7');
    const value = parseJson(
      await gate().json(
        JSON.stringify({
          [token]: 1,
          [other]: 2,
          '[redacted: secretlint/github]': 3,
          password,
          b: { [token]: 4 },
        }),
      ),
    );
    assert.ok(isObject(value));
    assert.equal(Object.keys(value).length, 5);
    assert.deepEqual(Object.keys(value).slice(3), ['password', 'b']);
    assert.ok(!JSON.stringify(value).includes(token) && !JSON.stringify(value).includes(other));
  });

  it('knows a secret everywhere that it has learnt in one place, whatever names it', async () => {
    const learnt = gate();
    await learnt.learn(`psql postgres://app:${password}@db.acme.io/prod`);
    assert.match(await learnt.text(`the word is ${password}!`), /^the word is \[redacted: [\w/-]+\]!$/);
    assert.match(await learnt.json(JSON.stringify({ a: [password] })), /^\{"a":\["\[redacted: /);
    assert.equal(await learnt.text('nothing here'), 'nothing here');
    assert.throws(() => learnt.check(`<p>${password}</p>`), /credential/);
    learnt.check('<p>nothing</p>');
  });

  it('finds the beginning of a secret where a text was cut off', async () => {
    const learnt = gate();
    await learnt.learn(`DB_PASSWORD=${password}`);
    assert.match(await learnt.cutText(`{"a":"${password.slice(0, 9)}`), /^\{"a":"\[redacted: \w+\]$/);
    assert.equal(await learnt.cutText('{"a":"Zx8'), '{"a":"Zx8');
    // A cut text may end with a line break that the secret does not have.
    assert.match(await learnt.cutText(`see ${password.slice(0, 9)} \n`), /^see \[redacted: \w+\] \n$/);
  });

  it('refuses an output in pieces when a secret reaches over two of them', async () => {
    const learnt = gate();
    await learnt.learn(`DB_PASSWORD=${password}`);
    const pieces = async function* (...texts: readonly string[]): AsyncGenerator<Uint8Array, string> {
      for (const text of texts) {
        yield Promise.resolve(Buffer.from(text));
      }
      return 'done';
    };
    const drain = async (chunks: AsyncGenerator<Uint8Array, string>): Promise<string> => {
      for (;;) {
        const next = await chunks.next();
        if (next.done === true) {
          return next.value;
        }
      }
    };
    assert.equal(await drain(learnt.checked(pieces('ä'.repeat(2_000_000), 'end'))), 'done');
    const cut = pieces('x'.repeat(3_000_000), password.slice(0, 5), password.slice(5), 'y'.repeat(3_000_000));
    await assert.rejects(
      drain(learnt.checked(cut)),
      /^Error: Nothing was written: the file would still contain a credential/,
    );
  });

  it('takes JSON of any depth, and stays quick with thousands of secrets', async () => {
    const deep = `${'{"a":['.repeat(20_000)}"DB_PASSWORD=${password}"${']}'.repeat(20_000)}`;
    const redacted = await gate().json(deep);
    assert.equal(redacted.replace(/\[redacted: \w+\]/, password), deep);
    const text = JSON.stringify(['AKIA0000 word '.repeat(100_000)]);
    const timeWith = async (secrets: number): Promise<number> => {
      const learnt = gate();
      for (let number = 0; number < secrets; number += 1) {
        await learnt.learn(`AKIA${String(number).padStart(4, '0')}XYZABCDEFGHI`);
      }
      return processorTime(async () => assert.equal(await learnt.json(text), text));
    };
    const [few, many] = [await timeWith(20), await timeWith(4_000)];
    // If each place were compared with each secret, it would take 200 times as long.
    assert.ok(many < 10 * few, `${many} ms with many secrets, ${few} ms with few`);
  });

  it('leaves no file where an output was refused', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'context-inspector-gate-'));
    try {
      const learnt = gate();
      await learnt.learn(`DB_PASSWORD=${password}`);
      const options = { overwrite: false, notOver: join(folder, 'transcript') };
      const refused = writeNewFile(join(folder, 'out'), learnt.checked(textChunks(`a ${password}`)), options);
      await assert.rejects(refused, /credential/);
      assert.deepEqual(readdirSync(folder), []);
      await writeNewFile(join(folder, 'out'), learnt.checked(textChunks('a')), options);
      assert.deepEqual(readdirSync(folder), ['out']);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('leaves pictures alone', async () => {
    const picture = Buffer.from(Array.from({ length: 3_000 }, (_, index) => (index * 167) & 0xff)).toString(
      'base64',
    );
    assert.equal(await gate().text(picture), picture);
  });
});

describe('known secrets', () => {
  it('are found as JSON and markup write them, the longest first, and never inside of a longer number', () => {
    const known = new KnownSecrets();
    known.add('abcdefgh', 'short');
    known.add('abcdefghij', 'long');
    known.add('line"one\n<two>', 'escaped');
    known.add('12345678', 'number');
    known.add('tiny', 'none');
    const rules = (text: string): readonly string[] => known.find(text).map(({ rule }) => rule);
    assert.deepEqual(rules('abcdefghij abcdefghi abcdefg'), ['long', 'short']);
    assert.deepEqual(rules(JSON.stringify('line"one\n<two>')), ['escaped']);
    assert.deepEqual(rules(JSON.stringify(JSON.stringify('line"one\n<two>'))), ['escaped']);
    assert.deepEqual(rules('1712345678901 tiny'), []);
    assert.deepEqual(rules('at 12345678.'), ['number']);
  });
});

describe('the value of a member', () => {
  it('is a secret because of its name, unless it is a placeholder or a reference', () => {
    for (const name of ['password', 'dbPassword', 'X_API_KEY', 'clientSecret', 'aws-secret-key', 'apikey']) {
      assert.ok(isMemberSecret(name, 'tr0ub4dor', false), name);
    }
    for (const value of [
      '${PASSWORD}',
      '<your-key>',
      'string',
      'a b c 1',
      './secret1.txt',
      'https://a.b/1',
      'C:\\keys1',
      'API_KEY_2',
      'config.key2',
      'abc',
    ]) {
      assert.ok(!isMemberSecret('password', value, false), value);
    }
    assert.ok(isMemberSecret('pin', '4711', true));
    assert.ok(!isMemberSecret('pin', '47', true) && !isMemberSecret('pin', '4.711', true));
    for (const name of ['tokens', 'max_token', 'spin', 'passwordLength', 'keyCode', 'secrets_count', '']) {
      assert.ok(!isMemberSecret(name, '47110815', true), name);
    }
  });
});

describe('tokens of a JSON text', () => {
  it('know the name that they belong to', () => {
    const text = '{"a":{"b":[1,"x",[2]],"c":true},"d":-1.5e3,"e":[{"f":null},"y"]}';
    const tokens = jsonTokens(text);
    const said = (number: number): string => text.slice(tokens[number]?.start, tokens[number]?.end);
    assert.deepEqual(
      tokens.flatMap(({ kind, name }, number) => (kind === 'name' ? [] : [[said(number), said(name)]])),
      [
        ['1', '"b"'],
        ['"x"', '"b"'],
        ['2', '"b"'],
        ['-1.5e3', '"d"'],
        ['"y"', '"e"'],
      ],
    );
  });
});
