import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, it } from 'node:test';
import { isArray, isObject, parseJson } from '../../../src/core/base/json';
import { copyFormats } from '../../../src/core/export/copyFormats';
import { prunedCopy } from '../../../src/core/export/prunedCopy';
import { isSameStructure } from '../../../src/core/export/readBack';
import { valuePart } from '../../../src/core/export/valuePart';
import { formats } from '../../../src/core/formats/registry';
import { readTranscript } from '../../../src/core/formats/readTranscript';
import { defaultPruneOptions } from '../../../src/core/model/pruneConfig';
import type { Transcript } from '../../../src/core/model/transcript';
import { Gate } from '../../../src/core/sensitivity/gate';
import { secretScanner } from '../../../src/node/secrets/secretScannerOnDemand';
import { fixturesOf, type FormatFixture } from '../../fixtures/formats';
import { bytesSource, openCounted } from '../../fixtures/prunedCopies';
import { isDeep, someOf } from '../../fixtures/variants';

const keyLines = Array.from({ length: 3 }, (_, line) =>
  createHash('sha512').update(`key ${line}`).digest('base64').slice(0, 64),
);
const secret = ['qV7', 'mT2', 'rK9', 'xW4'].join('');
const beginning = ['-----BEGIN RSA', 'PRIVATE KEY-----'].join(' ');

/** Texts after which a rule might go on, and the part of each that no copy may contain. */
const plants: readonly (readonly [text: string, hidden: string])[] = [
  [`${beginning}\n${keyLines.join('\n')}`, keyLines[1] ?? ''],
  [`${beginning}\n${keyLines[0]}\n${keyLines[1]?.slice(0, 30)}`, keyLines[0] ?? ''],
  [`${beginning}\\n${keyLines.join('\\n')}`, keyLines[2] ?? ''],
  [`PuTTY-User-Key-File-3\nPrivate-Lines: 20\n${keyLines.join('\n')}`, keyLines[0] ?? ''],
  [
    `kind: Secret\ndata:\n  password: ${Buffer.from(secret).toString('base64')}`,
    Buffer.from(secret).toString('base64'),
  ],
  [`Authorization: Bearer ${secret}${secret}`, secret],
  [`postgres://app:${secret}@db.quillworks.io`, secret],
  [`Cookie: session_id=${secret}${secret}; theme=1`, secret],
  [`export DB_PASSWORD=${secret}`, secret],
  ['the password:', '\0'],
  ['curl -H "Authorization: Bearer', '\0'],
  ['{"kty":"RSA","n":"a","d":"', '\0'],
];

/** A string in a JSON value. */
interface Place {
  readonly name: string;
  readonly value: string;
  /** A copy of the whole value with another string at this place. */
  readonly replaced: (text: string) => unknown;
}

function* placesIn(
  value: unknown,
  name = '',
  replaced: (inner: unknown) => unknown = inner => inner,
): Generator<Place> {
  if (typeof value === 'string') {
    yield { name, value, replaced };
  } else if (isArray(value)) {
    for (const [index, item] of value.entries()) {
      yield* placesIn(item, name, inner => replaced(value.with(index, inner)));
    }
  } else if (isObject(value)) {
    for (const [key, item] of Object.entries(value)) {
      yield* placesIn(item, key, inner => replaced({ ...value, [key]: inner }));
    }
  }
}

/** A file of JSON values: lines or a document. */
interface RecordFile {
  readonly records: readonly unknown[];
  readonly text: (records: readonly unknown[]) => string;
}

function recordFile({ bytes }: FormatFixture): RecordFile | undefined {
  const text = Buffer.from(bytes).toString();
  const whole = parseJson(text);
  if (isObject(whole) || isArray(whole)) {
    return { records: [whole], text: ([document]) => JSON.stringify(document, null, 1) };
  }
  const records = text
    .split('\n')
    .filter(line => line !== '')
    .map(line => parseJson(line));
  return records.every(record => isObject(record) || isArray(record))
    ? { records, text: lines => lines.map(line => `${JSON.stringify(line)}\n`).join('') }
    : undefined;
}

async function transcriptOf(text: string, { siblings }: FormatFixture): Promise<Transcript | undefined> {
  const read = await readTranscript(bytesSource(text), { siblings });
  return read.ok ? read.transcript : undefined;
}

/** The file without credentials, as a copy would have it. */
async function redacted(file: RecordFile, records: readonly unknown[]): Promise<string> {
  const gate = new Gate(secretScanner, { partOf: valuePart });
  const lines = records.map(record => JSON.stringify(record));
  for (const line of lines) {
    await gate.learnJson(line);
  }
  const values: unknown[] = [];
  for (const line of lines) {
    values.push(parseJson(await gate.json(line)));
  }
  const text = file.text(values);
  gate.check(text);
  return text;
}

async function copyOf(text: string): Promise<string> {
  const copy = await prunedCopy({
    session: await openCounted(text),
    request: 0,
    candidates: [],
    notices: new Map(),
    options: defaultPruneOptions(),
    redactWith: secretScanner,
  });
  assert.ok(copy.ok);
  const parts: Uint8Array[] = [];
  for await (const chunk of copy.bytes) {
    parts.push(chunk);
  }
  const bytes = Buffer.concat(parts);
  await copy.readBack(bytesSource(bytes));
  return bytes.toString();
}

const ids = [...formats.documents, ...formats.lines].map(({ id }) => id);

describe('a redacted copy has the structure of its transcript', () => {
  for (const format of ids) {
    it(`in ${format}, wherever a secret begins that does not end`, async () => {
      for (const fixture of someOf(fixturesOf(format), 2)) {
        const file = recordFile(fixture);
        const before = file && (await transcriptOf(file.text(file.records), fixture));
        if (file === undefined || before === undefined) {
          continue;
        }
        const places = file.records.flatMap((record, index) =>
          [...placesIn(record)].map(place => ({ ...place, index })),
        );
        const texts = places.filter(
          ({ name, value }) => valuePart({ kind: 'string', name, value }) === 'text' && /\s/.test(value),
        );
        // An id of the file and a role, which are then known secrets.
        const names = [
          'assistant',
          ...places
            .filter(({ name, value }) => /id$/i.test(name) && value.length >= 8)
            .map(({ value }) => value),
        ];
        const all = texts.flatMap(place =>
          [
            ...plants,
            ...names
              .slice(0, 3)
              .map(name => [`the password is "${name}"\nDB_PASSWORD=${name}`, '\0'] as const),
          ].map(plant => ({ place, plant })),
        );
        for (const { place, plant } of someOf(all, 4)) {
          const [text, hidden] = plant;
          const records = file.records.with(place.index, place.replaced(`${place.value}\n${text}`));
          const planted = file.text(records);
          const original = await transcriptOf(planted, fixture);
          // A planted text may change what the file means, as a whole.
          if (original === undefined) {
            continue;
          }
          const copy = await redacted(file, records);
          const after = await transcriptOf(copy, fixture);
          const what = `${fixture.name}: ${place.name} with ${text.slice(0, 60)}`;
          assert.ok(after !== undefined && isSameStructure(original, after), what);
          assert.ok(!copy.includes(hidden), what);
          if (isDeep && Object.hasOwn(copyFormats, format) && original.format === format) {
            assert.ok(!(await copyOf(planted)).includes(hidden), what);
          }
        }
      }
    });
  }
});

describe('a redacted copy of a session with a private key that was cut off', () => {
  const folder = resolve('../shared/repro-3');
  for (const name of [
    'cut-private-key.jsonl',
    'cut-private-key-chat.json',
    'cut-private-key-opencode.json',
  ]) {
    it(
      `keeps all messages, ids and roles of ${name}`,
      { skip: existsSync(folder) ? false : `${folder} is not on this machine` },
      async () => {
        const copy = await copyOf(readFileSync(join(folder, name), 'utf8'));
        assert.match(copy, /\[redacted: privateKeyBlock\]/);
      },
    );
  }
});
