/// <reference types="node" />
import assert from 'node:assert/strict';
import { type Browser, type LaunchOptions, type Page, chromium } from 'playwright-core';
import { serve } from './server';
import type { ThemeName } from '../../webview/door/themes';

/** The pages that a bundle exists for. */
export type PageName = '' | 'sessions' | 'compare';

export interface PageOptions {
  readonly theme?: ThemeName;
  readonly width?: number;
  readonly height?: number;
}

/** A page that stays open for the tests of its process. Each test resets it. */
export interface KeptPage {
  readonly page: Page;
  /** Exceptions of the page since it was opened. */
  readonly errors: readonly string[];
  /** The number of the opening, different for each test. */
  readonly opening: string;
}

interface Started {
  readonly browser: Browser;
  readonly url: string;
  readonly close: () => Promise<void>;
}

interface Opened {
  readonly page: Page;
  errors: string[];
}

let started: Started | undefined;
const kept = new Map<PageName | 'door', Opened>();
const ends: (() => Promise<void>)[] = [];
let openings = 0;

/** Starts the browser and the server of this process. `folders` have the bundles and the fake host. */
export async function startPages({
  folders,
  browser,
}: {
  readonly folders: readonly string[];
  readonly browser: LaunchOptions;
}): Promise<void> {
  const [server, launched] = await Promise.all([serve({ folders }), chromium.launch(browser)]);
  started = {
    browser: launched,
    url: server.url,
    close: async () => {
      await launched.close();
      server.close();
    },
  };
}

export async function endPages(): Promise<void> {
  kept.clear();
  await started?.close();
  started = undefined;
  await Promise.all(ends.splice(0).map(end => end()));
}

/** Ends something else together with the pages. */
export function onEnd(end: () => Promise<void>): void {
  ends.push(end);
}

function running(): Started {
  return started ?? assert.fail('startPages was not called');
}

/** The browser of this process, for tests that need more than its kept pages. */
export const sharedBrowser = (): Browser => running().browser;

/** An empty page next to the webview's, without its policy. Code in it is not part of the webview. */
export async function openBlankPage(): Promise<Page> {
  const { browser, url } = running();
  const page = await browser.newPage();
  await page.route('**/blank', route => route.fulfill({ contentType: 'text/html', body: '' }));
  await page.goto(`${url}blank`);
  return page;
}

/**
 * The kept page of a name, in a size, with the pointer outside of it.
 * @param prepare called when the browser page is made, before anything is opened in it
 */
export async function keptPage(
  name: PageName | 'door',
  { width = 1440, height = 900 }: PageOptions,
  prepare: (page: Page) => Promise<unknown> = () => Promise.resolve(),
): Promise<Omit<KeptPage, 'opening'>> {
  const errors: string[] = [];
  const known = kept.get(name);
  if (known === undefined) {
    const page = await running().browser.newPage({ viewport: { width, height } });
    const opened: Opened = { page, errors };
    kept.set(name, opened);

    page.on('pageerror', ({ message }) => opened.errors.push(message));
    await prepare(page);
    return opened;
  }
  known.errors = errors;
  const { page } = known;
  const size = page.viewportSize();
  await page.emulateMedia({ forcedColors: null, reducedMotion: null });
  await page.mouse.move(-1, -1);
  if (size?.width !== width || size.height !== height) {
    await page.setViewportSize({ width, height });
    // Otherwise the next page may first be drawn in the old size, and keep the scale of that.
    await page.waitForFunction(([wide, high]) => window.innerWidth === wide && window.innerHeight === high, [
      width,
      height,
    ] as const);
  }
  return { page, errors };
}

/** Opens a page in the state of a first opening, without saved state. */
export async function openPage(
  name: PageName,
  { theme = 'dark', ...options }: PageOptions,
  prepare?: (page: Page) => Promise<unknown>,
): Promise<KeptPage> {
  const { page, errors } = await keptPage(name, options, prepare);
  openings += 1;
  const opening = String(openings);
  // The fake host forgets the saved state of another opening.
  await page.goto(`${running().url}${name}?theme=${theme}&opening=${opening}`);
  return { page, errors, opening };
}
