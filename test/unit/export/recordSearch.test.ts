import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type FoundText, RecordSearch, type WrittenRecord } from '../../../src/core/export/recordSearch';
import { secretScanner } from '../../../src/node/secrets/secretScannerOnDemand';

const key = Array.from(
  { length: 3 },
  (_, line) => `MIIEpAIBAAKCAQEA${'k9Q2mX7vT4bR8wZp'.repeat(3)}${line}`,
).join('\\n');
const records = [
  '{"a":"nothing","cwd":"/home/mirabel/code"}',
  `{"cut":"-----BEGIN RSA PRIVATE KEY-----\\n${key}"}`,
  '{"mail":"mirabel@quillworks.io"}',
  '{"rest":"-----END RSA PRIVATE KEY-----","mail":"odo@quillworks.io"}',
  `{"long":"${'words and more words '.repeat(60)}","api_key":"k9Q2mX7vT4bR8wZp3LdN"}`,
  'no record, but tam@quillworks.io',
  `{"nested":"{\\"text\\":\\"${'more words '.repeat(60)}\\\\n\\",\\"password\\":\\"k9Q2mX7vT4\\"}"}`,
  `{"escaped":"${'words '.repeat(110)} \\u0073k-ant-api03-${'k9Q2mX7vT4bR8wZp'.repeat(6)}AA"}`,
  `{"home":"${'words '.repeat(110)} \\/home\\/mirabel/code","cut":"${'中文 words '.repeat(80)}\\ud83d tam@quillworks.io"}`,
].map((text, index) => ({ text, line: index + 1 }));

async function searched(
  given: readonly WrittenRecord[],
  together: boolean,
): Promise<ReadonlyMap<number, readonly FoundText[]>> {
  const found = new Map<number, readonly FoundText[]>();
  const search = new RecordSearch(
    secretScanner,
    'damagedLine',
    () => undefined,
    ({ line }, inRecord) => found.set(line, inRecord),
  );
  for (const some of together ? [given] : given.map(record => [record])) {
    await search.addAll(some);
  }
  return found;
}

describe('RecordSearch', () => {
  it('finds the same in records that are searched together as in each alone', async () => {
    const alone = await searched(records, false);
    assert.deepEqual(
      Array.from(alone, ([line, found]) => [line, [...new Set(found.map(({ rule }) => rule))]]),
      [
        [1, ['homeFolder']],
        [2, ['privateKeyBlock']],
        [3, ['emailAddress']],
        [4, ['emailAddress']],
        [5, ['credentialAssignment', 'credentialMember']],
        [6, ['emailAddress']],
        [7, ['credentialAssignment', 'credentialMember']],
        [8, ['providerToken/anthropic']],
        [9, ['homeFolder', 'emailAddress']],
      ],
    );
    const together = await searched(records, true);
    for (const { line } of records) {
      assert.deepEqual(together.get(line), alone.get(line), `line ${line}`);
    }
  });

  it('finds the same in each of several records that are written alike', async () => {
    const alone = await searched(records, false);
    const repeated = [0, 100, 200].flatMap(by =>
      records.map(({ text, line }) => ({ text, line: line + by })),
    );
    for (const together of [false, true]) {
      const found = await searched(repeated, together);
      assert.deepEqual(
        repeated.map(({ line }) => found.get(line)),
        repeated.map(({ line }) => alone.get(line % 100)),
      );
    }
  });
});
