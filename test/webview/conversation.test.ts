/// <reference types="node" />
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import type { CacheReport } from '../../src/core/cache/cacheFinding';
import { blockFlags } from '../../src/core/model/block';
import type { Session } from '../../src/core/model/columns';
import { maskText } from '../../src/core/sensitivity/maskText';
import type { BlockText } from '../../src/core/session/blockText';
import { expectNoViolationsInThemes } from './axe';
import { type Answers, type OpenInspector, openInspector, plainText } from './harness';
import { type MadeBlock, makeColumns, makeSummary } from './sessionBuilder';
import { untilStill } from './still';

const secret = 'hunter2hunter2';
const edit = JSON.stringify({
  file_path: '/work/queue.ts',
  old_string: 'const at = addMinutes(job.leaves, -60);\nkeep();',
  new_string: 'const leaves = inZone(job.leaves);\nconst at = addMinutes(leaves, -60);\nkeep();',
});
const list = JSON.stringify(
  Array.from({ length: 40 }, (_, line) => ({ line, zone: 'Europe/Oslo', leaves: '01:40' })),
);

/** The blocks and their texts: a compaction, then a question with calls of each kind. */
const made: readonly (readonly [MadeBlock, string])[] = [
  [{ kind: 'prompt', label: 'Old question', tokens: 20 }, 'Old question'],
  [{ kind: 'assistant', label: 'Old answer', tokens: 30 }, 'Old answer'],
  [{ kind: 'prompt', label: 'Old thanks', tokens: 20 }, 'Old thanks'],
  [{ kind: 'summary', label: 'So far', tokens: 60 }, 'So far: **all** is well.'],
  [{ kind: 'prompt', label: 'Check every crossing', tokens: 40 }, 'Check every crossing\nof the night.'],
  [
    { kind: 'thinking', label: 'The test still has the old hour', tokens: 50 },
    'The test still has the old hour, so it must convert twice.',
  ],
  [
    { kind: 'toolCall', label: 'Read timetable.json', tool: 'Read', callId: 'a', tokens: 20 },
    '{"file_path":"timetable.json"}',
  ],
  [
    {
      kind: 'toolResult',
      label: 'Read timetable.json',
      tool: 'Read',
      callId: 'a',
      tokens: 300,
      path: '/work/timetable.json',
    },
    list,
  ],
  [
    { kind: 'toolCall', label: 'Bash docker compose config', tool: 'Bash', callId: 'b', tokens: 20 },
    '{"command":"docker compose config"}',
  ],
  [
    {
      kind: 'toolResult',
      label: 'Bash docker compose config',
      tool: 'Bash',
      callId: 'b',
      tokens: 60,
      sensitivity: 'restricted',
      findings: 1,
      flags: blockFlags.error,
    },
    `services:\nurl: postgres://app:${secret}@db\n<b>bold</b>`,
  ],
  [
    {
      kind: 'toolCall',
      label: 'Edit queue.ts',
      tool: 'Edit',
      callId: 'c',
      tokens: 80,
      path: '/work/queue.ts',
    },
    edit,
  ],
  [
    { kind: 'toolResult', label: 'Edit queue.ts', tool: 'Edit', callId: 'c', tokens: 10 },
    'The file was changed.',
  ],
  [
    { kind: 'toolCall', label: 'Read zone.ts', tool: 'Read', callId: 'd', tokens: 20 },
    '{"file_path":"zone.ts"}',
  ],
  [
    {
      kind: 'toolResult',
      label: 'Read zone.ts',
      tool: 'Read',
      callId: 'd',
      tokens: 100,
      path: '/work/src/zone.ts',
    },
    Array.from({ length: 9 }, (_, line) => `    ${line + 1}→export const zone${line} = '${line}';`).join(
      '\n',
    ),
  ],
  [
    { kind: 'assistant', label: 'Found it', tokens: 60 },
    '# Found it\n\nThe hour is **twice** off, see `inZone()`:\n\n- one [link](javascript:alert(1))\n- <img src=x onerror=alert(1)> ![p](https://example.org/p.png)\n\n| a | b |\n| - | - |\n| 1 | 2 |\n',
  ],
  [{ kind: 'assistant', label: 'Last reply', tokens: 30 }, 'Last reply'],
];
const texts = made.map(([, text]) => text);

function masked(text: string, reveal: boolean): BlockText {
  const plain = plainText(text);
  const start = text.indexOf(secret);
  const finding = {
    start,
    end: start + secret.length,
    rule: 'urlPassword',
    label: 'restricted',
    message: 'Password in a URL',
  } as const;
  return start < 0
    ? plain
    : {
        ...plain,
        findings: [finding],
        segments: reveal ? [{ text }] : [...maskText(text, [finding])],
      };
}

const session: Session = {
  summary: makeSummary({
    compactions: [{ kind: 'compaction', request: 2, thread: 0, line: 7, tokensBefore: 70, tokensAfter: 100 }],
  }),
  columns: makeColumns(
    made.map(([block]) => block),
    [
      [0, 1, 2],
      [3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14],
    ],
    [
      { length: 1, complete: true, usage: { input: 20, cacheRead: 0, cacheWrite: 0 } },
      { length: 3, complete: true, usage: { input: 50, cacheRead: 20, cacheWrite: 0 } },
      { context: 1, length: 2, complete: true, usage: { input: 100, cacheRead: 0, cacheWrite: 0 } },
      { context: 1, length: 7, complete: true, usage: { input: 410, cacheRead: 100, cacheWrite: 0 } },
      { context: 1, length: 12, complete: true, usage: { input: 800, cacheRead: 0, cacheWrite: 0 } },
    ],
  ),
};

const loss = { certainty: 'assumed', possible: [], recorded: null, read: 0, evidence: [] } as const;
const report: CacheReport = {
  findings: [
    {
      ...loss,
      request: 3,
      previous: 2,
      causes: ['evicted'],
      readable: 100,
      tokensLost: 100,
      moneyLost: 0.02,
    },
    {
      ...loss,
      request: 4,
      previous: 3,
      causes: ['lifetimeExpired'],
      readable: 510,
      tokensLost: 510,
      moneyLost: 0.33,
    },
  ],
  causes: [],
  diagnostics: {},
  boundaries: [],
  input: { read: 0, written: 0, fresh: 0 },
  lost: { tokens: 510, money: 0.33 },
  conservation: { checked: 0, kept: 0 },
  agreement: { compared: 0, agreeing: 0 },
};

const answers: Partial<Answers> = {
  blockText: (_, { block, reveal }) => masked(texts[block] ?? '', reveal),
  cacheReport: () => report,
};

const gridOf = (page: Page): Locator => page.getByTestId('conversation');
const rowOf = (page: Page, text: string | RegExp): Locator =>
  gridOf(page).getByRole('row').filter({ hasText: text });

async function openConversation(
  options: { readonly width?: number; readonly height?: number } = {},
  own: Partial<Answers> = answers,
  shown: Session = session,
): Promise<OpenInspector> {
  const inspector = await openInspector({ width: 750, height: 1400, ...options, answers: own });
  await inspector.show(shown);
  const { page } = inspector;
  if ((options.width ?? 750) < 560) {
    await page.getByRole('button', { name: /^View and colours/ }).click();
    await page.getByRole('radio', { name: 'Conversation' }).check();
    await page.keyboard.press('Escape');
  } else {
    await page.getByRole('radio', { name: 'Conversation' }).check();
  }
  await gridOf(page).waitFor();
  return inspector;
}

async function finish(inspector: OpenInspector): Promise<void> {
  assert.deepEqual(inspector.errors, []);
  assert.deepEqual(await inspector.violations(), []);
  await inspector.close();
}

describe('conversation', () => {
  it('shows messages in their form, and folds results', async () => {
    const inspector = await openConversation();
    const { page } = inspector;
    await rowOf(page, 'Check every crossing').waitFor();
    await page.getByText('Compacted', { exact: true }).waitFor();
    // Markdown, without anything that comes from the data.
    const reply = rowOf(page, 'Found it').last();
    assert.equal(await reply.locator('strong').innerText(), 'twice');
    assert.equal(await reply.locator('code').innerText(), 'inZone()');
    assert.equal(await reply.locator('li').count(), 2);
    assert.equal(await reply.locator('td').count(), 2);
    assert.equal(await gridOf(page).locator('a, img, script').count(), 0);
    assert.match(await reply.innerText(), /<img src=x onerror=alert\(1\)>/);
    // An edit as a diff.
    const change = rowOf(page, 'Edit').first();
    assert.equal(await change.locator('.code-line--removed').count(), 1);
    assert.equal(await change.locator('.code-line--added').count(), 2);
    // A result is folded to one line.
    const call = rowOf(page, 'zone.ts').first();
    await call.getByText('9 lines').waitFor();
    assert.equal(await call.getAttribute('aria-expanded'), 'false');
    await call.getByRole('button', { name: 'Open Read zone.ts' }).click();
    await call.getByText('zone0').waitFor();
    // Its own line numbers are shown once, beside the text.
    assert.equal(await call.locator('.code-line').first().getAttribute('data-number'), '1');
    assert.ok(!(await call.innerText()).includes('→'));
    await call.getByRole('button', { name: /more lines/ }).click();
    await call.getByText('zone8').waitFor();
    await call.locator('.code-keyword').first().waitFor();
    await finish(inspector);
  });

  it('lays out JSON, in two lines at first', async () => {
    const inspector = await openConversation();
    const { page } = inspector;
    const call = rowOf(page, 'timetable.json').first();
    await call.getByRole('button', { name: 'Open Read timetable.json' }).click();
    const lines = call.locator('.code-lines');
    await lines.waitFor();
    assert.ok(((await lines.boundingBox())?.height ?? 99) < 40);
    await call.getByRole('button', { name: /more/ }).click();
    await call.locator('.code-line').nth(20).waitFor();
    await finish(inspector);
  });

  it('masks secrets in every row until they are revealed', async () => {
    const inspector = await openConversation();
    const { page } = inspector;
    const call = rowOf(page, 'docker compose config').first();
    await call.getByText('Password in a URL').first().waitFor();
    await call.getByRole('button', { name: 'Open Bash docker compose config' }).click();
    await call.locator('.masked').first().waitFor();
    assert.ok(!(await page.content()).includes(secret));
    await call.getByRole('button', { name: 'Reveal' }).click();
    await call.getByText(secret).waitFor();
    await call.getByRole('button', { name: 'Mask again' }).click();
    await call.locator('.masked').first().waitFor();
    await page.getByText(secret).waitFor({ state: 'detached' });
    await finish(inspector);
  });

  it('shows what the request no longer has, where the cache ends, and what it lost', async () => {
    const inspector = await openConversation();
    const { page } = inspector;
    const old = rowOf(page, 'Old question');
    await old.getByText('compacted at #3').waitFor();
    const folded = gridOf(page).getByRole('button', { name: /2 messages, folded/ });
    await folded.click();
    await rowOf(page, 'Old answer').waitFor();
    assert.match(await rowOf(page, 'cache lost').last().innerText(), /idle too long[\s\S]*510[\s\S]*\$0\.33/);
    await rowOf(page, 'Request 5 ends here').waitFor();
    // At an earlier request the cache ends elsewhere, and later messages are not in it.
    await page.keyboard.press('[');
    await rowOf(page, 'cached to here 100 · new 410').waitFor();
    await rowOf(page, 'Request 4 ends here').waitFor();
    await finish(inspector);
  });

  it('is linked with the details and with the lanes, both ways', async () => {
    const inspector = await openConversation();
    const { page } = inspector;
    await rowOf(page, 'Check every crossing').click();
    await page.getByTestId('block-details').getByText('Check every crossing').first().waitFor();
    assert.equal(await rowOf(page, 'Check every crossing').getAttribute('aria-selected'), 'true');
    await page.getByRole('radio', { name: 'Lanes' }).check();
    await page.getByTestId('slot-layout').focus();
    await page.keyboard.press('End');
    const name = await page.getByTestId('block-details').getByRole('heading').first().innerText();
    await page.getByRole('radio', { name: 'Conversation' }).check();
    const chosen = gridOf(page).locator('[role=row][aria-selected=true]');
    await chosen.waitFor();
    assert.match(await chosen.innerText(), new RegExp(name.replace(/^→ \w+ /, '').slice(0, 8)));
    await finish(inspector);
  });

  it('shows only prompts and replies where these are chosen, at the end of the request', async () => {
    const turns = 40;
    const blocks = Array.from({ length: turns }, (_, turn): readonly MadeBlock[] => [
      { kind: 'prompt', label: `question ${turn}`, tokens: 20 },
      ...Array.from({ length: 6 }, (__, call): MadeBlock => ({
        kind: 'thinking',
        label: `thought ${call}`,
        tokens: 20,
      })),
      { kind: 'assistant', label: `answer ${turn}`, tokens: 20 },
    ]).flat();
    const columns = makeColumns(
      blocks,
      [blocks.map((_, index) => index)],
      Array.from({ length: turns }, (_, turn) => ({ length: turn * 8 + 1, complete: true })),
    );
    const inspector = await openConversation(
      { height: 600 },
      { blockText: () => plainText('a text') },
      { summary: makeSummary(), columns },
    );
    const { page } = inspector;
    await page.getByRole('slider', { name: 'Request', exact: true }).press('Home');
    const end = gridOf(page).getByText('ends here');
    for (let request = 2; request <= turns / 2; request += 1) {
      await page.keyboard.press('ArrowRight');
      await end.filter({ hasText: `Request ${request} ` }).waitFor();
    }
    await page.getByRole('combobox', { name: 'Show' }).selectOption('talk');
    await untilStill(page);
    const [row, grid] = [await end.boundingBox(), await gridOf(page).boundingBox()];
    assert.ok(row !== null && grid !== null && row.y >= grid.y && row.y < grid.y + grid.height);
    assert.equal(
      await gridOf(page)
        .getByText(/^thought/i)
        .count(),
      0,
    );
    await finish(inspector);
  });

  it('has the same forms in the details, and line numbers once', async () => {
    const inspector = await openConversation();
    const { page } = inspector;
    await rowOf(page, 'Found it').last().click();
    const details = page.getByTestId('block-details');
    await details.getByText('# Found it').first().waitFor();
    await details.getByRole('button', { name: 'Show formatted' }).click();
    await details.locator('strong', { hasText: 'twice' }).waitFor();
    assert.equal(await details.locator('a, img').count(), 0);
    await rowOf(page, 'Edit').first().getByText('Edit', { exact: true }).click();
    await details.locator('.code-line--removed').waitFor();
    await page.getByRole('button', { name: 'Show formatted' }).click();
    await details.getByText('old_string').first().waitFor();
    await rowOf(page, 'zone.ts').first().getByText('Read', { exact: true }).click();
    await details.getByRole('button', { name: 'Go to result' }).click();
    await details.getByText('1→export').waitFor();
    assert.equal(await details.locator('.text-row[data-number]').count(), 0);
    await finish(inspector);
  });

  it('is walked through with the keyboard', async () => {
    const inspector = await openConversation();
    const { page } = inspector;
    await gridOf(page).focus();
    await page.keyboard.press('Home');
    const selected = (): Promise<string> => gridOf(page).locator('[aria-selected=true]').innerText();
    await gridOf(page).locator('[aria-selected=true]').waitFor();
    assert.match(await selected(), /Old question/);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    assert.match(await selected(), /old hour/);
    assert.equal(await gridOf(page).locator('[aria-selected=true]').getAttribute('aria-expanded'), 'false');
    await page.keyboard.press('ArrowRight');
    await gridOf(page).getByText('so it must convert twice').waitFor();
    await page.keyboard.press('ArrowLeft');
    assert.equal(await gridOf(page).locator('[aria-selected=true]').getAttribute('aria-expanded'), 'false');
    await page.keyboard.press('Enter');
    await page.getByTestId('block-details').getByText('so it must convert twice').first().waitFor();
    await finish(inspector);
  });

  it('marks what the search finds, also in folded rows', async () => {
    const inspector = await openConversation(
      {},
      {
        ...answers,
        find: () => ({
          blocks: [
            {
              block: 13,
              hits: 9,
              isNamed: false,
              around: {
                before: [{ text: 'export const ' }],
                hit: [{ text: 'zone' }],
                after: [{ text: '0' }],
              },
            },
            { block: 14, hits: 1, isNamed: false },
          ],
          done: 16,
          total: 16,
        }),
      },
    );
    const { page } = inspector;
    await page.keyboard.press('Control+f');
    await page.keyboard.type('zone');
    await rowOf(page, 'zone.ts').first().locator('mark', { hasText: 'zone' }).first().waitFor();
    await rowOf(page, 'Found it').last().locator('mark', { hasText: 'Zone' }).waitFor();
    await finish(inspector);
  });

  it('has no violations in any theme', async () => {
    const inspector = await openConversation();
    const { page } = inspector;
    for (const name of ['Open Read zone.ts', 'Open Bash docker compose config']) {
      await gridOf(page).getByRole('button', { name }).click();
    }
    await gridOf(page)
      .getByRole('button', { name: /2 messages, folded/ })
      .click();
    await rowOf(page, 'docker').first().locator('.masked').first().waitFor();
    await rowOf(page, 'zone.ts').first().locator('.code-keyword').first().waitFor();
    await untilStill(page);
    await expectNoViolationsInThemes(page, 'conversation');
    await finish(inspector);
  });

  it('fits into every width', async () => {
    const inspector = await openConversation({ width: 480, height: 780 });
    const { page } = inspector;
    for (const width of [480, 630, 750, 1600]) {
      await page.setViewportSize({ width, height: 780 });
      await rowOf(page, 'Found it').last().waitFor();
      await untilStill(page);
      const places = await gridOf(page).evaluate(grid => ({
        width: grid.clientWidth,
        wide: grid.scrollWidth,
        page: document.documentElement.scrollWidth,
        rows: [...grid.querySelectorAll('.conversation__rows > [role=row]')].map(row => {
          const { top, bottom } = row.getBoundingClientRect();
          const inner = [...row.querySelectorAll('.conversation__line > *')].map(part =>
            part.getBoundingClientRect(),
          );
          const overlap = inner.some((box, index) =>
            inner.some(
              (other, place) =>
                place > index && box.right > other.left + 1 && other.right > box.left + 1 && box.width > 0,
            ),
          );
          return { top, bottom, overlap };
        }),
      }));
      assert.equal(places.wide, places.width);
      assert.equal(places.page, width);
      assert.deepEqual(
        places.rows.filter(({ overlap }) => overlap),
        [],
      );
      const ordered = places.rows.toSorted((one, other) => one.top - other.top);
      ordered.forEach((row, index) => {
        const next = ordered[index + 1];
        assert.ok(next === undefined || next.top >= row.bottom - 1, 'rows do not overlap');
      });
    }
    await finish(inspector);
  });
});
