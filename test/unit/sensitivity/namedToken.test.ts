import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sensitiveIn } from '../../../src/core/sensitivity/credentials';
import { namedForms } from '../../../src/core/sensitivity/namedToken';
import { Random } from '../../generator/random';
import { exampleOfForm } from '../../fixtures/exampleOfForm';

describe('a key next to the name of its service', () => {
  for (const [name, form, source] of namedForms) {
    it(`is found behind ${name}, and not alone, cut or elsewhere`, () => {
      assert.match(source, /^(?:gitleaks|trufflehog) [\w-]+$|^https:\/\//);
      const random = new Random(11);
      const key = exampleOfForm(form, random);
      const near = [
        `${name}("${key}")`,
        `${name} ${key}`,
        `x-${name}-id: ${key}`,
        `${name}_x = '${key}'`,
        JSON.stringify({ command: `${name} init "${key}"` }),
        `${name}("main", "${key}")`,
      ];
      for (const text of near) {
        const at = text.indexOf(key);
        const found = sensitiveIn(text).findings;
        assert.ok(
          found.some(({ start, end }) => start === at && end === at + key.length),
          text,
        );
      }
      const far = [key, `${name}@1.2.3 has\nsum ${key}`, `${name} and many other words and then ${key}`];
      for (const text of [...far, `${name} ${key}${key}`, `${name} ${key.slice(0, 20)}`, `x${name} ${key}`]) {
        assert.ok(
          sensitiveIn(text).findings.every(({ rule }) => !rule.startsWith('namedToken')),
          text,
        );
      }
    });
  }
});
