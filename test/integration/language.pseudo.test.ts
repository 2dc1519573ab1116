import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { commandIds } from '../../src/host/manifest';
import { addToolTurns, ClaudeCodeSession } from '../fixtures/claudeCodeSession';
import { nextPicture, ui, waitUntil, windowMissing } from './driver';
import { test } from './index';
import { finalEditor, openAlone, temporaryFile } from './inspector';
import { settle } from './inventory/busy';

const needsWindow = { skip: windowMissing };

/** A session in Greek, so that any English in the window is the program's own. */
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

/** The used members of an element. The tests know no other types of pages. */
interface PageElement {
  readonly childNodes: Iterable<{ readonly nodeType: number; readonly textContent: string | null }>;
  getAttribute(name: string): string | null;
  closest(selector: string): unknown;
}

/**
 * The texts of the page: visible texts, accessible names, tooltips and texts on canvases. Texts of the transcript are
 * left out.
 */
async function pageTexts(): Promise<readonly string[]> {
  const found = await ui(({ webview }) =>
    webview.locator('body *').evaluateAll((all: readonly PageElement[]) => {
      const attributes = ['aria-label', 'aria-description', 'aria-valuetext', 'title', 'placeholder', 'alt'];
      const said = all.flatMap(element => [
        ...attributes.map(name => element.getAttribute(name) ?? ''),
        ...(element.closest('pre, code, script') === null
          ? [...element.childNodes].flatMap(node => (node.nodeType === 3 ? [node.textContent ?? ''] : []))
          : []),
      ]);
      const drawn: unknown = Reflect.get(globalThis, 'drawnTexts');
      return [...said, ...(drawn instanceof Set ? [...drawn].map(String) : [])];
    }),
  );
  assert.ok(Array.isArray(found));
  return [...new Set(found.map(text => String(text).trim()))].filter(text => text !== '');
}

async function openSession(): Promise<void> {
  const uri = temporaryFile('σύνοδος.jsonl', session);
  await openAlone(uri);
  await finalEditor(uri);
  await ui(({ webview }) => webview.locator('#root[data-ready="true"]').waitFor({ state: 'attached' }));
}

/** Presses every control of a role in turn, and everything that unfolds then, and collects the texts of the page. */
async function visit(role: 'radio' | 'tab' | 'button', said: Set<string>): Promise<void> {
  const count = Number(await ui(({ webview }, wanted) => webview.getByRole(wanted).count(), role));
  for (let index = 0; index < count; index++) {
    await ui(
      async ({ webview }, { wanted, at }) => {
        const control = webview.getByRole(wanted).nth(at);
        if (await control.isVisible()) {
          // Works even if another part covers it.
          await control.dispatchEvent('click');
        }
      },
      { wanted: role, at: index },
    );
    await nextPicture('webview');
    await settle(`${role} ${index}`);
    (await pageTexts()).forEach(text => said.add(text));
  }
}

test(
  'speaks no English on the page in another language',
  async () => {
    await openSession();
    const said = new Set(await pageTexts());
    assert.ok(
      [...said].some(text => /[ƀćđéƒǵĥíĵķĺńóŕśť]{4}/.test(text)),
      `the page is not in the language: ${[...said].join(', ')}`,
    );
    await visit('radio', said);
    await ui(({ webview }) => webview.getByRole('radio').first().check());
    await ui(({ webview }) => webview.getByRole('listbox').first().press('End'));
    await visit('tab', said);
    await ui(({ webview }) => webview.locator('body').press('?'));
    (await pageTexts()).forEach(text => said.add(text));
    assert.deepEqual(englishIn([...said]), []);
  },
  needsWindow,
);

/** Texts that the extension contributed to VS Code, in parts of the window after an action. */
async function partTexts(selector: string): Promise<readonly string[]> {
  const texts = await ui(
    ({ page }, wanted) => page.locator(wanted).filter({ visible: true }).allInnerTexts(),
    selector,
  );
  assert.ok(Array.isArray(texts));
  return texts.flatMap(text => String(text).split('\n')).map(text => text.trim());
}

test(
  'speaks no English in commands, questions and settings',
  async () => {
    const manifest: unknown = vscode.extensions.getExtension(
      'context-inspector.context-inspector',
    )?.packageJSON;
    assert.deepEqual(englishIn(shownIn(manifest)), []);
    await openSession();
    for (const command of [commandIds.exportReport, commandIds.setApiKey, commandIds.exportTwin]) {
      void vscode.commands.executeCommand(command);
      await waitUntil(`${command} asks`, async () => (await partTexts('.quick-input-widget')).length > 0);
      const rows = await partTexts(
        '.quick-input-widget .label-name, .quick-input-widget .label-description, .quick-input-title',
      );
      await ui(({ page }) => page.keyboard.press('Escape'));
      assert.deepEqual(englishIn(rows), []);
    }
  },
  needsWindow,
);

/**
 * The members of the manifest with texts for people. The schemas of tools are for models; names in small letters are typed,
 * such as those of slash commands.
 */
function shownIn(value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null) {
    return [];
  }
  return Object.entries(value)
    .filter(([key, member]) => key !== 'inputSchema' && !(key === 'name' && /^[a-z]+$/.test(String(member))))
    .flatMap(([key, member]) =>
      /^(title|shortTitle|name|displayName|category|contextualTitle|contents|description|markdownDescription|enumDescriptions|markdownEnumDescriptions|altText)$/.test(
        key,
      )
        ? [member].flat().filter(text => typeof text === 'string')
        : shownIn(member),
    );
}
