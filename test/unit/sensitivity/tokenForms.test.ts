import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sensitiveIn } from '../../../src/core/sensitivity/credentials';
import { literalsOf, tokenForms } from '../../../src/core/sensitivity/tokenForms';
import { Random } from '../../generator/random';
import { exampleOfForm } from '../../fixtures/exampleOfForm';

/** Tokens of a form, made from the form itself. */
function examplesOf(form: string, count: number): readonly string[] {
  const random = new Random(7);
  return Array.from({ length: count }, () => exampleOfForm(form, random));
}

function escaped(text: string, depth: number): string {
  return depth === 0 ? text : escaped(JSON.stringify({ command: text }), depth - 1);
}

/** A text around a token, and the token's form in it. */
type Surroundings = (token: string) => readonly [text: string, shown: string];

const surroundings: Readonly<Record<string, Surroundings>> = {
  'plain text': token => [`please use ${token} today`, token],
  'a variable': token => [`export SERVICE=${token}\nREGION=eu`, token],
  JSON: token => [JSON.stringify({ service: token }), token],
  'a command': token => [`curl -H "X-Service: ${token}" https://api.quillworks.io`, token],
  'JSON in JSON in JSON': token => [escaped(`run "${token}"\n${token}`, 3), token],
  'the next escaped line': token => [JSON.stringify(`first\n${token}\nlast`), token],
  base64: token => {
    const shown = Buffer.from(`SERVICE=${token}\n`).toString('base64');
    return [`echo ${shown} | base64 -d`, shown];
  },
  'the name of a tool': token => [`mcp__${token}__query`, token],
  'an address': token => [
    `https://quillworks.io/?service=${encodeURIComponent(token)}&x=1`,
    encodeURIComponent(token),
  ],
};

describe('forms that services changed', () => {
  const body = 'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8s9T0u1V2w3X4y5Z6';
  const tokens = {
    'Azure, made in 2026': `${body}JQQJ99CCACHYHv6XJ3w3AAAAACOG0sUE`,
    Render: `rnd_${body.slice(0, 28)}`,
    Vercel: `vcp_${body.slice(0, 30)}-_${body.slice(0, 24)}`,
    Tavily: `tvly-dev-${body.slice(0, 6)}-${body.slice(6, 48)}`,
  };
  for (const [service, token] of Object.entries(tokens)) {
    it(`${service} is found`, () => {
      const found = sensitiveIn(`please use ${token} today`).findings;
      assert.ok(found.some(({ start, end }) => start <= 11 && end >= 11 + token.length));
    });
  }
});

describe('every form of a token', () => {
  it('has a name, a source and a literal of its own', () => {
    const ids = tokenForms.map(([id]) => id);
    assert.equal(new Set(ids).size, ids.length);
    for (const row of tokenForms) {
      assert.match(
        row[2],
        /^(?:gitleaks|trufflehog) [\w-]+$|^https:\/\//,
        `${row[0]}: a source is "gitleaks ID", "trufflehog DETECTOR" or an https address`,
      );
      assert.ok(literalsOf(row).length > 0 && literalsOf(row).every(literal => literal.length >= 3), row[0]);
    }
  });

  for (const [id, form] of tokenForms) {
    it(`${id} is found wherever it stands, and nothing near it`, () => {
      for (const token of examplesOf(form, 4)) {
        for (const [name, surround] of Object.entries(surroundings)) {
          const [text, shown] = surround(token);
          const at = text.indexOf(shown);
          const covered = sensitiveIn(text).findings.some(
            ({ start, end }) => start <= at && end >= at + shown.length,
          );
          assert.ok(covered, `${name}: ${text}`);
        }
        const near = [token.slice(0, 9), `xxxx${token}`.replace(/\W/g, 'x'), token.replace(/[\w]/g, 'x')];
        for (const text of near) {
          assert.deepEqual(sensitiveIn(`see ${text} there`).findings, [], text);
        }
      }
    });
  }
});
