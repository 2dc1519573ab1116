/// <reference types="node" />
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { claudeCodeFile } from '../generator/claudeCodeFile';
import { openBlankPage } from './pages';
import { sessionJson } from './sessionJson';

describe('the core', () => {
  it('reads and counts a transcript in a browser’s worker as it does in Node', async () => {
    const { steps } = claudeCodeFile({ seed: 11, contextTokens: 20_000 });
    let text = '';
    while (text.length < 300_000) {
      text += steps.next().value;
    }
    const page = await openBlankPage();
    const inBrowser = await page.evaluate(
      transcript =>
        new Promise<string>((resolve, reject) => {
          const worker = new Worker('/coreWorker.js');
          worker.onmessage = ({ data }: MessageEvent<string>) => resolve(data);
          worker.onerror = ({ message }) => reject(new Error(message));
          worker.postMessage(transcript);
        }),
      text,
    );
    await page.close();
    const found: unknown = JSON.parse(inBrowser);
    const expected: unknown = JSON.parse(await sessionJson(text));
    assert.deepEqual(found, expected);
    assert.match(inBrowser, /"counted":\[1,/);
  });
});
