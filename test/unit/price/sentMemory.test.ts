import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { getEncoding } from 'js-tiktoken';
import { arrayAt, isArray, isObject, parseJson, stringAt } from '../../../src/core/base/json';
import { priceChange } from '../../../src/core/price/priceChange';
import { lookUpModel } from '../../../src/core/tokens/modelTable';
import { readUnpacked, shared, skipWithout } from '../../fixtures/sharedFiles';

const runs = 'agent-runs-3';
const counter = getEncoding('o200k_base');
const tokens = (text: string): number => counter.encode(text, [], []).length;

/** The texts with the instructions of a repository that an agent sent, in their order. */
function sentInstructions(path: string): readonly string[] {
  const lines = Buffer.from(readUnpacked(join(shared, runs, path)))
    .toString('utf8')
    .split('\n');
  const texts = lines.flatMap(line => {
    const found: string[] = [];
    const visit = (value: unknown): void => {
      const text = stringAt(value, 'text');
      if (text?.startsWith('# AGENTS.md instructions for ') === true) {
        found.push(text);
      }
      if (isArray(value) || isObject(value)) {
        Object.values(value).forEach(visit);
      }
    };
    visit(parseJson(line));
    return found;
  });
  return [...new Set(texts)];
}

describe('the price of an edited memory file', { skip: skipWithout(runs) }, () => {
  it('is the difference of the texts that Codex really sent, to the token', async () => {
    const sent = sentInstructions('codex/0.171.0/rich-gpt-5.5/raw-requests.jsonl.gz');
    const form = /^# AGENTS\.md instructions for (\S+)\n\n<INSTRUCTIONS>\n(.*)\n<\/INSTRUCTIONS>/s;
    const [before, after] = sent.map(text => form.exec(text) ?? assert.fail(text.slice(0, 80)));
    assert.ok(before !== undefined && after !== undefined, 'the file was edited in this run');
    const [, root = ''] = before;
    const use = {
      agent: 'Codex',
      model: 'gpt-5.5',
      requests: 1,
      tokenPrice: undefined,
      isAssumed: true,
    } as const;
    const { agents } = await priceChange(
      new Map([['AGENTS.md', before[2] ?? '']]),
      new Map([['AGENTS.md', after[2] ?? '']]),
      { root, uses: [use], rowOf: lookUpModel },
      text => Promise.resolve(tokens(text)),
    );
    const [first = '', second = ''] = sent;
    const changed = tokens(second) - tokens(first);
    assert.ok(changed > 0);
    assert.deepEqual([agents[0]?.tokens, agents[0]?.quality], [changed, 'exact']);
    assert.deepEqual(arrayAt(agents[0], 'files').length, 1);
  });
});
