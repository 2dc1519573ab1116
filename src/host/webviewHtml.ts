import { randomBytes } from 'node:crypto';
import type { Translations } from '../core/base/translate';

export interface WebviewPage {
  /** The source that VS Code serves the extension's own files from. */
  readonly cspSource: string;
  readonly nonce: string;
  readonly scriptUri: string;
  readonly styleUri: string;
  readonly title: string;
  /** The page's words, which its script reads from an attribute: the policy allows no script in the page itself. */
  readonly translations: Translations;
}

/** A nonce that cannot be guessed: 128 random bits in base64. */
export function createNonce(): string {
  return randomBytes(16).toString('base64');
}

/** The page of the webview. It may load the extension's own script, styles, fonts and images, and nothing else. */
export function webviewHtml(page: WebviewPage): string {
  const { cspSource, nonce, scriptUri, styleUri, title, translations } = page;
  const policy = [
    `default-src 'none'`,
    `style-src ${cspSource}`,
    `font-src ${cspSource}`,
    `img-src ${cspSource}`,
    `script-src 'nonce-${nonce}'`,
  ].join('; ');
  return `<!DOCTYPE html>
<html lang="${escapeAttribute(translations.language)}">
<head>
  <meta charset="UTF-8">
  <meta http-equiv="Content-Security-Policy" content="${escapeAttribute(policy)}">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <link rel="stylesheet" href="${escapeAttribute(styleUri)}">
  <title>${escapeAttribute(title)}</title>
</head>
<body>
  <div id="root" data-translations="${escapeAttribute(JSON.stringify(translations))}"></div>
  <script nonce="${escapeAttribute(nonce)}" src="${escapeAttribute(scriptUri)}"></script>
</body>
</html>
`;
}

/** The ampersand goes first: a text that already looks like an entity must come back as it was. */
function escapeAttribute(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('"', '&quot;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
}
