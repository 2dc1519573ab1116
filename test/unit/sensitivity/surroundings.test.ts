import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sensitiveIn } from '../../../src/core/sensitivity/credentials';
import { Random } from '../../generator/random';
import { exampleOfForm } from '../../fixtures/exampleOfForm';

const random = new Random(11);
const example = (form: string): string => exampleOfForm(form, random);
const password = (): string => example('[a-z]{4}[0-9]{3}[A-Z]{4}[a-z]{4}[0-9]{2}');

/** Credentials that only the text around them shows, as texts with the credential between « and ». */
const written: Readonly<Record<string, () => string>> = {
  'the environment of a process': () => `PATH=/bin\0DB_PASSWORD=«${password()}»\0HOME=/root\0`,
  'a list in columns': () => `DB_HOST      db\nDB_PASSWORD  «${password()}»\nDB_USER      a\n`,
  'a member with a value of its own': () => `"admin_password":{"value":"«${password()}»","sensitive":true}`,
  'the message of an assertion': () => `AssertionError: expected token to be "«${example('[0-9a-f]{40}')}»"`,
  'a block of Gradle': () => `credentials { username 'ci'; password '«${password()}»' }`,
  'an element that Maven encrypted': () => `<password>«{${example('[A-Za-z0-9]{42}')}=}»</password>`,
  'a pipe into a store': () => `echo "«${example('[A-Za-z0-9]{32}')}»" | wrangler secret put API_TOKEN`,
  'the prompt of Redis': () => `127.0.0.1:6379> AUTH default «${password()}»\nOK`,
  'the prompt of Redis, without a user': () => `127.0.0.1:6379> AUTH «${password()}»\nOK`,
  'the settings of a directory': () => `bindpw «${password()}»\nbinddn cn=x\n`,
  'a map of Postfix': () => `[smtp.quillworks.io]:587 post@quillworks.io:«${password()}»\n`,
  'a list of cloud-init': () => `chpasswd:\n  list: |\n    ubuntu:«${password()}»\n`,
  'an imported key': () => `bitcoin-cli importprivkey «${example('L[1-9]{51}')}»`,
};

describe('a credential', () => {
  for (const [place, make] of Object.entries(written)) {
    it(`is found whole in ${place}`, () => {
      const marked = make();
      const text = marked.replace(/[«»]/g, '');
      const [start, end] = [marked.indexOf('«'), marked.indexOf('»') - 1];
      const { findings } = sensitiveIn(text);
      assert.ok(
        findings.some(found => found.label === 'restricted' && found.start <= start && found.end >= end),
        text,
      );
    });
  }

  it('is found whole where a terminal shows it whole', () => {
    for (const between of ['\u200b', '\u001b[m\u001b[K', '\u00ad']) {
      const token = `ghp_${example('[A-Za-z0-9]{6}')}${between}${example('[A-Za-z0-9]{30}')}`;
      const text = `token: ${token} and more`;
      const { findings } = sensitiveIn(text);
      assert.ok(
        findings.some(({ start, end }) => start <= 7 && end >= 7 + token.length),
        JSON.stringify(text),
      );
    }
  });

  it('is none in what only looks like these', () => {
    for (const text of [
      'The variable DB_PASSWORD  is set in the deployment.',
      'expected token to be "a string"',
      '> AUTH required',
      'bindpw <password>',
      '"password":{"value":"string"}',
      'A line.\0Another line.\0',
    ]) {
      assert.deepEqual(sensitiveIn(text).findings, [], text);
    }
  });
});
