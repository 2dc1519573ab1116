import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { ClaudeCodeSession } from '../fixtures/claudeCodeSession';
import {
  firstForged,
  foreignActs,
  foreignQuestions,
  forgedMessages,
  type PageName,
} from '../fixtures/forgedMessages';
import { someOf } from '../fixtures/variants';
import { ui, windowMissing } from './driver';
import { test } from './index';
import { closeEverything, finalEditor, inspectorApi, openAlone, temporaryFile } from './inspector';
import { compareFromMenu, isComparisonShown } from './inventory/comparePlaces';
import { showSessions, writeSession } from './inventory/sessionPlaces';
import { isUsageShown } from './inventory/usagePlaces';
import { messageIsShown } from './inventory/workbench';
import { messagesSeen, watchMessages } from './messages';
import { commandIds } from '../../src/host/manifest';

const needsWindow = { skip: windowMissing };

/** A question that ends a test's messages. */
interface Last {
  readonly id: number;
  readonly name: string;
  readonly params: unknown;
}

interface Replies {
  /** Number of messages that were refused without a question to answer. */
  readonly refused: number;
  /** Answers to questions: number of failures, and of values. */
  readonly failed: number;
  readonly answered: number;
  /** The different sentences of both. */
  readonly sentences: readonly string[];
}

/**
 * Posts messages to the host from a page, as a script in the page could, and counts the replies up to the one to `last`,
 * which is sent after them. Waits for at least so many.
 */
async function forge(
  where: 'webview' | 'view',
  messages: readonly unknown[],
  least: number,
  last?: Last,
): Promise<Replies> {
  const replies = await ui(
    async (window, { frame, text, final, atLeast, first }) => {
      const inner = window[frame];
      await inner.locator('body').evaluate(`
        window.forged = { refused: 0, failed: 0, answered: 0, sentences: [], last: false };
        window.removeEventListener('message', window.hearForged);
        window.hearForged = ({ data }) => {
          if (data?.type === 'answer' && Number.isInteger(data.id) && data.id > 0 && data.id < ${first}) {
            // The page has asked that itself.
            return;
          }
          const seen = window.forged;
          const kind = data?.type === 'refused' ? 'refused' : data?.type !== 'answer' ? undefined : data.ok ? 'answered' : 'failed';
          if (data?.type === 'answer' && data.id === ${final?.id ?? null}) {
            seen.last = data.ok;
          } else if (kind !== undefined) {
            seen[kind] += 1;
            if (data.sentence !== undefined && !seen.sentences.includes(data.sentence)) {
              seen.sentences.push(data.sentence);
            }
          }
        };
        window.addEventListener('message', window.hearForged);
      `);
      await inner
        .owner()
        .evaluate((element: { readonly ownerDocument: { readonly defaultView: object } }, sent: string) => {
          const post: unknown = Reflect.get(element.ownerDocument.defaultView, '__vscode_post_message__');
          const all: unknown = JSON.parse(sent);
          if (typeof post !== 'function' || !Array.isArray(all)) {
            throw new Error('The page cannot post.');
          }
          all.forEach((message: unknown) => {
            Reflect.apply(post, undefined, ['onmessage', { message }]);
          });
        }, text);
      const state = async (): Promise<unknown> => inner.locator('body').evaluate('window.forged');
      await window.until('the host has answered', async () => {
        const seen = await state();
        if (typeof seen !== 'object' || seen === null) {
          return false;
        }
        const replied = ['refused', 'failed', 'answered'].reduce(
          (sum, name) => sum + Number(Reflect.get(seen, name)),
          0,
        );
        return replied >= atLeast && (final === undefined || Reflect.get(seen, 'last') === true);
      });
      return state();
    },
    {
      frame: where,
      text: JSON.stringify([
        ...messages,
        ...(last === undefined
          ? []
          : [{ type: 'question', id: last.id, question: { name: last.name, params: last.params } }]),
      ]),
      atLeast: least,
      first: firstForged,
      ...(last === undefined ? {} : { final: last }),
    },
  );
  assert.ok(typeof replies === 'object' && replies !== null);
  const numberOf = (name: string): number => Number(Reflect.get(replies, name));
  const sentences: unknown = Reflect.get(replies, 'sentences');
  assert.ok(Array.isArray(sentences));
  return {
    refused: numberOf('refused'),
    failed: numberOf('failed'),
    answered: numberOf('answered'),
    sentences: sentences.map(String),
  };
}

/** The addresses of all tabs. A tab is named after its session only when that has been read. */
const tabs = (): readonly string[] =>
  vscode.window.tabGroups.all.flatMap(group =>
    group.tabs.map(({ input, label }) =>
      input instanceof vscode.TabInputCustom || input instanceof vscode.TabInputText
        ? input.uri.toString()
        : label,
    ),
  );

/** Sends every forged message from a page; nothing but a refusal of each may follow. */
async function isRefused(where: 'webview' | 'view', page: PageName): Promise<void> {
  const forged = someOf(forgedMessages(page), 150);
  const { openEditors } = await inspectorApi();
  const before = { tabs: tabs(), editors: openEditors(), clipboard: await vscode.env.clipboard.readText() };
  await watchMessages();
  const { refused, failed, answered, sentences } = await forge(where, forged, forged.length);
  assert.deepEqual([refused + failed, answered], [forged.length, 0]);
  assert.deepEqual(sentences.toSorted(), [
    'The extension refused an invalid message from this page.',
    ...(failed > 0 ? ['The extension refused an invalid question.'] : []),
  ]);
  assert.deepEqual(
    { tabs: tabs(), editors: openEditors(), clipboard: await vscode.env.clipboard.readText() },
    before,
  );
  assert.deepEqual(
    (await messagesSeen()).filter(({ text }) => text.includes('Error')),
    [],
  );
  assert.equal(vscode.window.terminals.length, 0);
  console.log(`  ${forged.length} forged messages from ${page} were refused.`);
}

/** Words that only a person who reads the code understands. */
const rawWords = /Error\b|undefined|null|\[object|Scheme|Cannot read|ENOENT|Invalid/;

/** Waits for a message with each of the words, and returns the texts of all. */
async function toldWith(words: readonly string[]): Promise<readonly string[]> {
  for (const each of words) {
    await messageIsShown(each);
  }
  const texts = await ui(({ page }) => page.locator('.notification-list-item-message').allTextContents());
  await vscode.commands.executeCommand('notifications.clearAll');
  assert.ok(Array.isArray(texts));
  return texts.map(String);
}

/**
 * Sends questions and actions in the right form about something that is not there. Every question is answered, nothing is
 * opened, and no error reaches a person in other than plain words.
 */
async function isSurvived(
  where: 'webview' | 'view',
  page: PageName,
  words: readonly string[],
  last?: Last,
): Promise<void> {
  const before = tabs();
  const questions = foreignQuestions(page);
  const replies = await forge(where, questions, questions.length, last);
  assert.deepEqual([replies.refused, replies.failed + replies.answered], [0, questions.length]);
  assert.deepEqual(
    replies.sentences.filter(sentence => rawWords.test(sentence)),
    [],
  );
  const acts = foreignActs[page].map(act => ({ type: 'act', act }));
  await forge(where, [...acts, 'the last'], 1);
  // Actions get no reply. Their failures are messages with these words.
  const told = await toldWith(words);
  assert.deepEqual(tabs(), before);
  assert.deepEqual(
    told.filter(text => rawWords.test(text)),
    [],
  );
  console.log(`  ${page}: ${told.map(text => text.slice(0, 90)).join(' | ')}`);
}

const shortSession = (): string =>
  new ClaudeCodeSession().prompt('Sweep the yard').reply({ text: 'Swept.' }).toString();

test(
  'refuses every forged message of a transcript page, and answers on',
  async () => {
    const uri = temporaryFile('forged.jsonl', shortSession());
    await openAlone(uri);
    await finalEditor(uri);
    await isRefused('webview', 'inspector');
    await isSurvived('webview', 'inspector', ['was not found next to', 'refused an invalid message'], {
      id: 1e15,
      name: 'wholeText',
      params: { block: 0, reveal: false },
    });
    await closeEverything();
  },
  needsWindow,
);

test(
  'refuses every forged message of the list of sessions, the usage and a comparison, and answers on',
  async () => {
    writeSession('forge', 'Heat the iron');
    writeSession('forge', 'Cool the iron');
    await showSessions();
    await ui(({ view }) => view.getByRole('treeitem', { name: /^Heat the iron/ }).waitFor());
    await isRefused('view', 'sessions');
    await isSurvived('view', 'sessions', ['This is not a file.']);
    await compareFromMenu('Heat the iron', 'Cool the iron');
    await isComparisonShown();
    await isRefused('webview', 'compare');
    await isSurvived('webview', 'compare', [], { id: 1e15, name: 'compare', params: { requests: null } });
    await closeEverything();
    await vscode.commands.executeCommand(commandIds.usage);
    await isUsageShown();
    await isRefused('webview', 'usage');
    const period = { period: 'week', stack: 'agent', subagents: 'together' };
    await isSurvived('webview', 'usage', [], { id: 1e15, name: 'usage', params: period });
    await closeEverything();
  },
  needsWindow,
);
