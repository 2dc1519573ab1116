import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readMessage, refusalOf } from '../../../src/protocol/page';
import { forgedMessages, pageExamples, type PageName, validMessages } from '../../fixtures/forgedMessages';

const pages: readonly PageName[] = ['inspector', 'sessions', 'usage', 'compare'];

/** Longer lines would fill the log. */
const longestLine = 200;

describe('forged messages', () => {
  for (const page of pages) {
    const { contract, acts, questions } = pageExamples[page];
    it(`are made from every message of ${page}`, () => {
      const kinds = 'options' in contract.acts ? contract.acts.options : [contract.acts];
      assert.deepEqual(
        new Set(acts.map(({ kind }) => kind)),
        new Set(kinds.map(({ entries }) => entries.kind.literal)),
      );
      assert.deepEqual(Object.keys(questions).sort(), Object.keys(contract.questions).sort());
      for (const message of validMessages(page)) {
        assert.equal(readMessage(contract, message).ok, true, JSON.stringify(message));
      }
    });

    it(`are refused from ${page}, each with a short line for the log`, () => {
      const forged = forgedMessages(page);
      assert.ok(forged.length > 100);
      for (const message of forged) {
        const read = readMessage(contract, message);
        assert.ok(!read.ok, JSON.stringify(message).slice(0, 300));
        const { line, answer } = refusalOf(read, page);
        assert.ok(line.length < longestLine && JSON.stringify(answer).length < longestLine, line);
      }
    });
  }
});
