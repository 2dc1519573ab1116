import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createNonce, webviewHtml, type WebviewPage } from '../../../src/app/pageHtml';

const page: WebviewPage = {
  cspSource: 'https://*.vscode-cdn.net',
  nonce: 'bm9uY2U=',
  scriptUri: 'https://file.test/dist/webview.js',
  styleUri: 'https://file.test/dist/webview.css',
  title: 'session.jsonl',
  translations: { language: 'de', messages: { 'Close "{0}"': '"{0}" <schließen>' } },
};

describe('the page of the webview', () => {
  it('allows the extension’s own files and the one script, and nothing else', () => {
    const policy = /content="(?<policy>default-src[^"]*)"/.exec(webviewHtml(page))?.groups?.['policy'];
    assert.deepStrictEqual(policy?.split('; '), [
      `default-src 'none'`,
      'style-src https://*.vscode-cdn.net',
      'font-src https://*.vscode-cdn.net',
      'img-src https://*.vscode-cdn.net blob:',
      `script-src 'nonce-bm9uY2U='`,
    ]);
  });

  it('loads script and style and has a root', () => {
    const html = webviewHtml(page);
    assert.match(html, /<script nonce="bm9uY2U=" src="https:\/\/file\.test\/dist\/webview\.js"><\/script>/);
    assert.match(html, /<link rel="stylesheet" href="https:\/\/file\.test\/dist\/webview\.css">/);
    assert.match(html, /<html lang="de">/);
  });

  it('carries the translations as data that is no markup', () => {
    const written = /<div id="root" data-translations="([^"<>]*)"><\/div>/.exec(webviewHtml(page))?.[1] ?? '';
    const read = written.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&gt;', '>');
    assert.deepEqual(JSON.parse(read.replaceAll('&amp;', '&')), page.translations);
  });

  it('shows a hostile file name as text', () => {
    const html = webviewHtml({ ...page, title: '"><script>alert(1)</script>&quot;.jsonl' });
    assert.ok(
      html.includes('<title>&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;&amp;quot;.jsonl</title>'),
    );
    assert.equal(html.match(/<script/g)?.length, 1);
  });

  it('gets a nonce of 128 bits, another each time', () => {
    const nonces = Array.from({ length: 100 }, () => createNonce());
    assert.equal(new Set(nonces).size, 100);
    assert.ok(nonces.every(nonce => Buffer.from(nonce, 'base64').length === 16));
  });
});
