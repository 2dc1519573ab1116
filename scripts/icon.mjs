// Draws media/icon.png from media/icon.svg, because extension packages do not allow SVG icons.
import './lib/currentNode.mjs';
import { chromium } from 'playwright-core';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { browserOptions } from './lib/browser.mjs';
import { root } from './lib/packages.mjs';

const browser = await chromium.launch(await browserOptions());
try {
  const page = await browser.newPage({ viewport: { width: 256, height: 256 } });
  await page.setContent(
    `<style>body { margin: 0 }</style>${readFileSync(join(root, 'media', 'icon.svg'), 'utf8')}`,
  );
  await page.screenshot({ path: join(root, 'media', 'icon.png'), omitBackground: true });
} finally {
  await browser.close();
}
