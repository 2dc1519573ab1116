/// <reference types="node" />
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import type { Frame, Page } from 'playwright-core';
import { picturePage } from '../../src/node/mcp/picturePage';
import { at } from '../../src/core/base/numbers';
import { breakdown } from '../../src/core/breakdown/breakdown';
import {
  type ContextPicture,
  contextPicture,
  pictureMember,
} from '../../src/core/contextTools/contextPicture';
import { createPalette } from '../../src/core/drawing/palette';
import { themeColours } from '../../src/core/drawing/svgStyle';
import { TreemapLayout } from '../../src/core/drawing/treemapLayout';
import { sources } from '../../src/core/model/source';
import { openBlankPage } from './pages';
import { sampleSession } from './sampleSession';

const html = picturePage(readFileSync('dist/picture.js', 'utf8'));
const axe = readFileSync('node_modules/axe-core/axe.min.js', 'utf8');

interface OpenedPicture {
  readonly page: Page;
  readonly frame: Frame;
  /** Addresses that were asked for after the page was opened. */
  readonly asked: readonly string[];
  readonly errors: readonly string[];
}

async function openPicture(result: object, theme: 'dark' | 'light'): Promise<OpenedPicture> {
  const page = await openBlankPage();
  const errors: string[] = [];
  const asked: string[] = [];
  page.on('pageerror', error => errors.push(error.message));
  page.on('console', message => (message.type() === 'error' ? errors.push(message.text()) : undefined));
  page.on('dialog', dialog => {
    errors.push(dialog.message());
    dialog.dismiss().catch(() => undefined);
  });
  await page.addScriptTag({ url: '/pictureHost.js' });
  page.on('request', request => asked.push(request.url()));
  await page.evaluate(([text, context, sent]) => window.pictureHost.open(text, context, sent), [
    html,
    { theme },
    result,
  ] as const);
  const frame = page.frames().find(each => each !== page.mainFrame());
  assert.ok(frame !== undefined);
  return { page, frame, asked, errors };
}

const resultOf = (picture: ContextPicture): object => ({ _meta: { [pictureMember]: picture } });

function samplePicture(): ContextPicture {
  const { root } = breakdown(sampleSession(), 59);
  return contextPicture(root, 'tokens', ['Tokens of the request']);
}

/** The boxes that the page draws for the parts of the whole. */
async function layoutIn(frame: Frame, { parts }: ContextPicture): Promise<TreemapLayout> {
  await frame.locator('#tree').waitFor();
  const size = await frame
    .locator('#tree')
    .evaluate(element => ({ width: element.clientWidth, height: element.clientHeight }));
  const below = (part: number): readonly number[] =>
    parts.flatMap(({ parent }, index) => (parent === part ? index : []));
  return new TreemapLayout(
    {
      childrenOf: below,
      valueAt: part => parts[part]?.value ?? 0,
      isItem: part => below(part).length === 0,
    },
    0,
    { left: 0, top: 0, ...size },
  );
}

/** Waits until a pixel of the drawing has a colour. */
const untilColour = (frame: Frame, x: number, y: number, colour: string): Promise<unknown> =>
  frame.waitForFunction(
    ([left, top, wanted]) => {
      const canvas = document.querySelector('canvas');
      const ratio = window.devicePixelRatio;
      const pixel = canvas?.getContext('2d')?.getImageData(left * ratio, top * ratio, 1, 1).data ?? [];
      return `rgb(${pixel[0]} ${pixel[1]} ${pixel[2]})` === wanted;
    },
    [x, y, colour] as const,
  );

describe('the picture for clients of MCP', () => {
  for (const theme of ['dark', 'light'] as const) {
    it(`draws every part with its figure in a ${theme} client, and opens what is clicked twice`, async () => {
      const picture = samplePicture();
      const { page, frame, asked, errors } = await openPicture(resultOf(picture), theme);
      const layout = await layoutIn(frame, picture);
      const palette = createPalette(name => themeColours[theme][name] ?? '', theme);
      assert.equal(await frame.locator('#heading').innerText(), 'Tokens of the request');
      const items = layout.part.flatMap((part, box) =>
        layout.kind[box] === 'item' && at(layout.width, box) > 12 && at(layout.height, box) > 12
          ? [{ part, box }]
          : [],
      );
      assert.ok(items.length > 8, `${items.length} boxes`);
      const tree = frame.locator('#tree');
      for (const { part, box } of items.slice(0, 12)) {
        const { name = '', figure = '', share = '', source = 'tools' } = picture.parts[part] ?? {};
        const left = at(layout.left, box);
        const bottom = at(layout.top, box) + at(layout.height, box);
        if (source !== 'notRecorded') {
          await untilColour(
            frame,
            left + 4,
            bottom - 4,
            palette.fills.source[sources.indexOf(source)]?.ground ?? '',
          );
        }
        const position = { x: left + at(layout.width, box) / 2, y: bottom - at(layout.height, box) / 2 };
        await tree.click({ position });
        assert.equal(await frame.locator('#shown').innerText(), `${name}: ${figure} (${share})`);
      }
      const frames = layout.part.filter((_, box) => layout.kind[box] === 'frame');
      const [group = -1] = frames;
      const box = layout.boxOf(group);
      const position = { x: at(layout.left, box) + 6, y: at(layout.top, box) + 6 };
      await tree.click({ position });
      await tree.click({ position });
      await frame.getByRole('button', { name: 'Back' }).click();
      await frame.getByRole('button', { name: 'Back' }).waitFor({ state: 'hidden' });
      const { name = '' } = picture.parts[group] ?? {};
      assert.ok((await frame.locator('#shown').innerText()).startsWith(name));
      await frame.evaluate(axe);
      const violations = await frame.evaluate(async () =>
        (await window.axe.run({ resultTypes: ['violations'] })).violations.map(({ id }) => id),
      );
      assert.deepEqual(violations, []);
      assert.deepEqual([asked, errors], [[], []]);
      await page.close();
    });
  }

  it('works with the keyboard', async () => {
    const picture = samplePicture();
    const { page, frame } = await openPicture(resultOf(picture), 'dark');
    const layout = await layoutIn(frame, picture);
    const shown = frame.locator('#shown');
    await frame.locator('#tree').focus();
    await page.keyboard.press('ArrowRight');
    const [first = -1] = layout.part;
    const name = picture.parts[first]?.name ?? '';
    assert.ok((await shown.innerText()).startsWith(name));
    await page.keyboard.press('Enter');
    await frame.getByRole('button', { name: 'Back' }).waitFor();
    await page.keyboard.press('Escape');
    await frame.getByRole('button', { name: 'Back' }).waitFor({ state: 'hidden' });
    await page.close();
  });

  it('takes the colours of its client, and follows a change', async () => {
    const { page, frame } = await openPicture(resultOf(samplePicture()), 'dark');
    const background = (): Promise<string> =>
      frame.evaluate(() => getComputedStyle(document.body).backgroundColor);
    assert.equal(await background(), 'rgb(31, 31, 31)');
    await page.evaluate(() => {
      const variables = { '--color-background-primary': 'light-dark(#fdf6e3, #002b36)' };
      window.pictureHost.change({ theme: 'light', styles: { variables } });
    });
    await frame.waitForFunction(
      () => getComputedStyle(document.body).backgroundColor === 'rgb(253, 246, 227)',
    );
    await page.waitForFunction(() => (window.pictureHost.height() ?? 0) > 380);
    await page.close();
  });

  it('shows hostile names as text', async () => {
    const hostile = '</script><script>alert(1)</script><img src="http://127.0.0.1:1/x" onerror="alert(2)">';
    const { parts } = samplePicture();
    const picture = { heading: [hostile], parts: parts.map(part => ({ ...part, name: hostile })) };
    const { page, frame, asked, errors } = await openPicture(resultOf(picture), 'dark');
    await frame.locator('#tree').waitFor();
    await frame.locator('#tree').click({ position: { x: 40, y: 40 } });
    assert.ok((await frame.locator('#shown').innerText()).startsWith(hostile));
    assert.equal(await frame.locator('#heading').innerText(), hostile);
    assert.equal(await frame.locator('img, script').count(), 1);
    assert.deepEqual([asked, errors], [[], []]);
    await page.close();
  });

  it('shows the sentence of an answer without a picture', async () => {
    const result = { isError: true, content: [{ type: 'text', text: 'No <b>request</b> yet.' }] };
    const { page, frame } = await openPicture(result, 'light');
    await frame.getByText('No <b>request</b> yet.').waitFor();
    assert.ok(await frame.locator('#tree').isHidden());
    await page.close();
  });
});
