/// <reference types="node" />
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';

const source = readFileSync('node_modules/axe-core/axe.min.js', 'utf8');

declare global {
  interface Window {
    axe: { readonly run: () => Promise<AxeResults> };
  }
}

/** Checks the current page against axe's rules. */
export async function expectNoViolations(page: Page, where: string): Promise<void> {
  await page.evaluate(source);
  const violations = await page.evaluate(async () =>
    (await window.axe.run()).violations.map(
      ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`,
    ),
  );
  assert.deepEqual(violations, [], where);
}
