/// <reference types="node" />
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { compareAddress, doorPaths, sessionAddress, usageAddress } from '../../src/protocol/doorAddresses';
import type {} from '../../webview/door/doorApi';
import {
  firstForged,
  foreignActs,
  foreignQuestions,
  forgedMessages,
  type PageName,
} from '../fixtures/forgedMessages';
import { someOf } from '../fixtures/variants';
import { openAddress } from './door';
import { claudeFolder, clear, writeSession } from './inventory/sessionPlaces';

interface Replies {
  /** Messages that were refused without a question to answer. */
  readonly refused: number;
  readonly failed: number;
  readonly answered: number;
  /** The different sentences of the refusals and failures. */
  readonly sentences: readonly string[];
}

declare global {
  interface Window {
    forged: { refused: number; failed: number; answered: number; sentences: string[] };
    hearForged?: (event: MessageEvent<unknown>) => void;
  }
}

/** Sends messages as a script in the page could. */
const post = (page: Page, messages: readonly unknown[]): Promise<void> =>
  page.evaluate(text => {
    const all: unknown = JSON.parse(text);
    const send: unknown = Reflect.get(Object(window.acquireVsCodeApi()), 'postMessage');
    if (typeof send === 'function' && Array.isArray(all)) {
      all.forEach((message: unknown) => {
        Reflect.apply(send, undefined, [message]);
      });
    }
  }, JSON.stringify(messages));

/** Sends messages, and counts the replies until each has one. */
async function forge(page: Page, messages: readonly unknown[]): Promise<Replies> {
  await page.evaluate(first => {
    const seen: Window['forged'] = { refused: 0, failed: 0, answered: 0, sentences: [] };
    const hear = ({ data }: MessageEvent<unknown>): void => {
      const of = (name: string): unknown => Reflect.get(Object(data), name);
      const id = of('id');
      // The page asks questions of its own.
      const isOwn = typeof id === 'number' && Number.isInteger(id) && id > 0 && id < first;
      const sentence = of('sentence');
      if (of('type') === 'refused' || (of('type') === 'answer' && !isOwn)) {
        seen[of('type') === 'refused' ? 'refused' : of('ok') === true ? 'answered' : 'failed'] += 1;
        if (typeof sentence === 'string' && !seen.sentences.includes(sentence)) {
          seen.sentences.push(sentence);
        }
      }
    };
    if (window.hearForged !== undefined) {
      window.removeEventListener('message', window.hearForged);
    }
    window.addEventListener('message', hear);
    window.hearForged = hear;
    window.forged = seen;
  }, firstForged);
  await post(page, messages);
  await page.waitForFunction(count => {
    const { refused, failed, answered } = window.forged;
    return refused + failed + answered === count;
  }, messages.length);
  const seen = await page.evaluate(() => window.forged);
  return { ...seen, sentences: seen.sentences.toSorted() };
}

/** Words that only a person who reads the code understands. */
const rawWords = /Error\b|undefined|null|\[object|Scheme|Cannot read|ENOENT|Invalid/;

/** A page with something in it, a question that it answers, and what it says about things that are not there. */
interface Case {
  readonly name: PageName;
  readonly open: () => Promise<string>;
  /** Matches an element that the page has when it is ready. */
  readonly ready: string;
  readonly last?: { readonly name: string; readonly params: unknown };
  readonly says: readonly RegExp[];
}

const iron = (): Promise<string> => writeSession('forge', 'Heat the iron');
const cases: readonly Case[] = [
  {
    name: 'inspector',
    open: async () => sessionAddress(await iron()),
    ready: '#root[data-ready="true"]',
    last: { name: 'wholeText', params: { block: 0, reveal: false } },
    says: [/was not found next to/],
  },
  {
    name: 'sessions',
    open: async () => {
      await iron();
      return doorPaths.sessions;
    },
    ready: 'role=treeitem >> nth=0',
    says: [/^This is not a file\.$/m],
  },
  {
    name: 'usage',
    open: () => Promise.resolve(usageAddress('usage')),
    ready: 'role=heading[name="Usage"]',
    last: { name: 'usage', params: { period: 'week', stack: 'agent', subagents: 'together' } },
    says: [],
  },
  {
    name: 'compare',
    open: async () => compareAddress(await iron(), await writeSession('forge', 'Cool the iron')),
    ready: 'role=heading[name="Facts"]',
    last: { name: 'compare', params: { requests: null } },
    says: [],
  },
];

// Tests of lists in this process have sessions of their own.
after(() => clear(claudeFolder));

describe('a script in a page', () => {
  for (const { name, open, ready, last, says } of cases) {
    it(`of ${name} has no message but the page’s own, and learns and opens nothing`, async () => {
      const opened = await openAddress(await open(), { width: 1280, height: 720 });
      const { page, deeds, errors } = opened;
      await page.locator(ready).waitFor({ state: 'attached' });
      const address = page.url();
      const forged = someOf(forgedMessages(name), 150);
      const { refused, failed, answered, sentences } = await forge(page, forged);
      assert.deepEqual([refused + failed, answered], [forged.length, 0]);
      assert.deepEqual(sentences, [
        'The extension refused an invalid message from this page.',
        ...(failed > 0 ? ['The extension refused an invalid question.'] : []),
      ]);
      assert.deepEqual([deeds, page.url(), page.context().pages().length], [[], address, 1]);

      // Right in form, about what is not there.
      const foreign = await forge(page, foreignQuestions(name));
      assert.deepEqual(
        foreign.sentences.filter(sentence => rawWords.test(sentence)),
        [],
      );
      await post(
        page,
        foreignActs[name].map(act => ({ type: 'act', act })),
      );
      const said = async (): Promise<readonly string[]> => {
        await opened.deed('say');
        return deeds.map(({ details: [, sentence] }) => String(sentence));
      };
      for (const sentence of says) {
        assert.match((await said()).join('\n'), sentence);
      }
      if (last !== undefined) {
        const answer = await forge(page, [{ type: 'question', id: 1e15, question: last }]);
        assert.deepEqual([answer.answered, answer.sentences], [1, []]);
      }
      assert.deepEqual(
        deeds.filter(({ what, details: [, sentence] }) => what !== 'say' || rawWords.test(String(sentence))),
        [],
      );
      assert.deepEqual([errors, page.url()], [[], address]);
    });
  }
});
