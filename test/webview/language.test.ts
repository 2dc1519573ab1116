/// <reference types="node" />
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, it } from 'node:test';
import type { Page } from 'playwright-core';
import { pseudo, pseudoLanguage } from '../../scripts/lib/pseudoLanguage.mjs';
import { isObject, parseJson } from '../../src/core/base/json';
import { setTranslations } from '../../src/core/base/translate';
import { sessionAddress } from '../../src/protocol/doorAddresses';
import { addToolTurns, ClaudeCodeSession } from '../fixtures/claudeCodeSession';
import { doorOf, isFinal, writeTranscript } from './door';
import { sharedBrowser } from './pages';

declare global {
  interface Window {
    drawnTexts: Set<string>;
  }
}

const bundle = parseJson(readFileSync('l10n/bundle.l10n.json', 'utf8'));
/** A language in which every letter has an accent, so that any plain English is not translated. */
const translations = {
  language: pseudoLanguage,
  messages: Object.fromEntries(
    Object.entries(isObject(bundle) ? bundle : {}).map(([key, text]) => [key, pseudo(String(text))]),
  ),
};

/** A session in Greek, so that any English on the page is the program's own. */
const session = addToolTurns(new ClaudeCodeSession('σύνοδος', '/σ/β'), 'Γιατί;', 30, 12_000)
  .prompt('Και τώρα;')
  .reply({ text: 'Έτοιμο.' })
  .toString();

/**
 * Names, which are the same in every language: of products, providers, tools, models, members of the systems, keys and
 * units.
 */
const names = new Set(
  [
    'Claude Code Context Inspector NeMo Relay Prompt PromptIR JSON SVG HTML MCP API Read Qwen Alibaba Model Studio Moonshot Kimi',
    'Anthropic OpenAI chat completions Google Gemini DeepSeek OpenRouter Ollama vLLM Studio opencode katu microcompact duplicates',
    'Page Down Backspace Home End Esc Enter Shift Ctrl Alt Tab Jan skill ruleSet enabled protectTokens minimumTokens toolOutputMaxChars',
    'cacheWarmSuffixTokens protectedTools replacement measure systemStable systemKnowledge turns frozenPrefixLen sourceRequestHash',
  ].flatMap(line => line.split(' ')),
);

/** The texts with an English word: three plain letters or more that are not a name, a path or an id. */
const englishIn = (texts: readonly string[]): readonly string[] =>
  texts.filter(text =>
    text
      .replaceAll(/\S*[./:_-]\S*|she\w*…|Shelf \d+ may hold the cause\.|That is all of it\./g, ' ')
      .split(/[^\p{L}]+/u)
      .some(word => /^[a-z]{3,}$/i.test(word) && !names.has(word)),
  );

/** Visible texts, accessible names, tooltips and texts on canvases, without those of the transcript. */
const textsOf = (page: Page): Promise<readonly string[]> =>
  page.locator('body *').evaluateAll(all => {
    const attributes = ['aria-label', 'aria-description', 'aria-valuetext', 'title', 'placeholder', 'alt'];
    const said = all.flatMap(element => [
      ...attributes.map(name => element.getAttribute(name) ?? ''),
      ...(element.closest('pre, code, script') === null
        ? [...element.childNodes].flatMap(node => (node.nodeType === 3 ? [node.textContent ?? ''] : []))
        : []),
    ]);
    return [...new Set([...said, ...window.drawnTexts].map(text => text.trim()))].filter(text => text !== '');
  });

/** The threads of the server, and what it says itself, are in the language, too. */
before(() => setTranslations(translations));
after(() => setTranslations(undefined));

it('speaks no English on the page in another language', async () => {
  const { view } = await doorOf();
  const origin = `http://127.0.0.1:${view.server.port}`;
  const [name = '', value = ''] = (view.server.cookie.split(';')[0] ?? '').split('=');
  const context = await sharedBrowser().newContext({ viewport: { width: 1440, height: 900 } });
  await context.addCookies([{ name, value, url: origin }]);
  await context.addInitScript(given => {
    // The local server gives its pages English.
    Object.defineProperty(window, 'contextInspectorTranslations', {
      get: () => given,
      set() {
        // It stays.
      },
    });
    const drawn = new Set<string>();
    window.drawnTexts = drawn;
    const { prototype } = CanvasRenderingContext2D;
    // oxlint-disable-next-line typescript/unbound-method -- it is called with its object below
    const { fillText } = prototype;
    prototype.fillText = function (text, ...place) {
      drawn.add(text);
      fillText.call(this, text, ...place);
    };
  }, translations);
  const page = await context.newPage();
  await page.goto(`${origin}${sessionAddress(await writeTranscript('σύνοδος.jsonl', session))}`);
  await isFinal(page);
  const said = new Set(await textsOf(page));
  assert.ok(
    [...said].some(text => /[ƀćđéƒǵĥíĵķĺńóŕśť]{4}/.test(text)),
    `the page is not in the language: ${[...said].join(', ')}`,
  );
  /** Presses every control of a role, and collects the texts of the page after each. */
  const visit = async (role: 'radio' | 'tab'): Promise<void> => {
    for (const control of await page.getByRole(role).all()) {
      if (await control.isVisible()) {
        // Works even if another part covers it.
        await control.dispatchEvent('click');
        await page
          .locator('[aria-busy="true"]')
          .filter({ visible: true })
          .first()
          .waitFor({ state: 'detached' });
        (await textsOf(page)).forEach(text => said.add(text));
      }
    }
  };
  await visit('radio');
  await page.getByRole('radio').first().check();
  await page.getByRole('listbox').first().press('End');
  await visit('tab');
  await page.locator('body').press('?');
  await page.getByRole('dialog').waitFor();
  (await textsOf(page)).forEach(text => said.add(text));
  assert.deepEqual(englishIn([...said]), []);
  await context.close();
});
