import assert from 'node:assert/strict';
import { join, relative } from 'node:path';
import { describe, it } from 'node:test';
import { member, stringAt } from '../../../src/core/base/json';
import { exposureReport } from '../../../src/core/exposure/exposureReport';
import { sensitiveItemsIn } from '../../../src/core/exposure/secretPlaces';
import type { BlockKind } from '../../../src/core/model/block';
import type { SensitivityFinding } from '../../../src/core/sensitivity/finding';
import { openTranscript } from '../../../src/core/session/openTranscript';
import { readJsonLines } from '../../fixtures/openedTranscript';
import { filesBelow, readUnpacked, shared, skipWithout } from '../../fixtures/sharedFiles';
import { sourceOf } from '../../fixtures/transcriptBytes';
import { someOf } from '../../fixtures/variants';

// Words of real sessions take the place of secrets. The requests that sent each word are counted in the requests that a
// server received.

const runs = join(shared, 'agent-runs');
/** Runs whose transcripts contain the sent content, with the ids of the responses. */
const compared = [
  ['claude-code', '2.1.330', 'rich'],
  ['claude-code', '2.1.330', 'compact-manual'],
  ['pi-coding-agent', '0.87.1', 'rich'],
  ['pi-coding-agent', '0.87.1', 'rich-chat'],
  ['codex', '0.169.0', 'compact-auto'],
  ['copilot-cli', '1.0.102', 'rich'],
] as const;
/** Kinds that are not recorded as sent, or have no text. */
const notCompared: readonly BlockKind[] = ['image', 'systemPrompt', 'toolSchema'];
const wordCount = 80;
const leastWords = 30;
const word = /(?<![A-Za-z0-9_])[A-Za-z][A-Za-z0-9_]{9,39}(?![A-Za-z0-9_])/g;

/** Finds the given words, each by a separate rule. */
function wordScanner(words: readonly string[]) {
  const rules = new Map(words.map((each, number) => [each, `word ${number}`]));
  return {
    personalData: false,
    scan: (text: string): Promise<readonly SensitivityFinding[]> =>
      Promise.resolve(
        [...text.matchAll(word)].flatMap(({ 0: found, index: start }) => {
          const rule = rules.get(found);
          return rule === undefined
            ? []
            : [{ rule, label: 'restricted', start, end: start + found.length, message: '' } as const];
        }),
      ),
  };
}

async function openedWith(bytes: Uint8Array, words: readonly string[]) {
  const result = await openTranscript(sourceOf(bytes), {
    fileName: 'run.jsonl',
    scanner: wordScanner(words),
    countWhileReading: true,
  });
  assert.ok(result.ok, 'the run is not read');
  await result.session.scan();
  return result.session;
}

describe('exposure beside what a server received', { skip: skipWithout('agent-runs') }, () => {
  for (const names of someOf(compared, 2)) {
    const run = join(runs, ...names);
    it(`is the number of requests that had a word: ${names.join(' ')}`, async () => {
      const [raw = ''] = filesBelow(run, 'raw-requests.jsonl', 'raw-requests.jsonl.gz');
      const bodies = new Map(
        readJsonLines(raw).map(record => [stringAt(record, 'response_id') ?? '', member(record, 'body')]),
      );
      let sum = 0;
      for (const path of filesBelow(join(run, 'native'), '.jsonl', '.jsonl.gz')) {
        const bytes = readUnpacked(path);
        const opened = await openTranscript(sourceOf(bytes), { fileName: path, scanner: wordScanner([]) });
        const ids = opened.ok ? opened.session.transcript.requests.map(({ id }) => id ?? '') : [];
        if (!opened.ok || !ids.some(id => bodies.has(id))) {
          continue;
        }
        const { blocks } = opened.session.transcript;
        const known = new Set<string>();
        for await (const { block, text } of opened.session.textsOf([...blocks].map((_, number) => number))) {
          const isCompared = !notCompared.includes(blocks.at(block)?.kind ?? 'other');
          (isCompared ? (text.match(word) ?? []) : []).forEach(found => known.add(found));
        }
        const sent = ids.flatMap(id => bodies.get(id) ?? []);
        const head = JSON.stringify(
          sent.map(body => ['tools', 'system', 'instructions'].map(name => member(body, name))),
        );
        const all = [...known].filter(each => !head.includes(each)).sort();
        const words = all
          .filter((_, index) => index % Math.ceil(all.length / wordCount) === 0)
          .filter((each, _, chosen) => !chosen.some(other => other !== each && other.includes(each)));
        const session = await openedWith(bytes, words);
        const report = exposureReport(session.toSession(), await sensitiveItemsIn(session));
        const where = relative(runs, path);
        assert.equal(sent.length, ids.length, `${where}: requests on both sides`);
        const texts = sent.map(body => JSON.stringify(body));
        for (const [number, each] of words.entries()) {
          const found = report.secrets.find(({ rule }) => rule === `word ${number}`);
          const expected = texts.filter(text => text.includes(each)).length;
          assert.equal(found?.requests ?? 0, expected, `${where}: ${each}`);
          sum += 1;
        }
      }
      assert.ok(sum >= leastWords, `${sum} words were compared`);
    });
  }
});
