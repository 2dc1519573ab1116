import { randomBytes } from 'node:crypto';
import type { Translations } from '../core/base/translate';

export interface WebviewPage {
  /** The source from which VS Code serves the extension's files. */
  readonly cspSource: string;
  readonly nonce: string;
  /** A script that runs before the page's own, which is loaded at the same time. */
  readonly firstScriptUri?: string;
  /** More directives of the policy. */
  readonly morePolicy?: readonly string[];
  readonly scriptUri: string;
  readonly styleUri: string;
  readonly title: string;
  /** The translations. They are in an attribute, because the policy allows no inline script. */
  readonly translations: Translations;
}

/** An unguessable nonce: 128 random bits in base64. */
export function createNonce(): string {
  return randomBytes(16).toString('base64');
}

/**
 * The HTML of the webview. It may load only the extension's own script, styles, fonts and images, and show pictures
 * that the page itself made from bytes.
 */
export function webviewHtml(page: WebviewPage): string {
  const {
    cspSource,
    nonce,
    firstScriptUri,
    scriptUri,
    styleUri,
    title,
    translations,
    morePolicy = [],
  } = page;
  const preload =
    firstScriptUri === undefined
      ? ''
      : `\n  <link rel="preload" as="script" href="${escapeAttribute(scriptUri)}" nonce="${escapeAttribute(nonce)}">`;
  const scripts = [firstScriptUri, scriptUri]
    .filter(uri => uri !== undefined)
    .map(uri => `<script nonce="${escapeAttribute(nonce)}" src="${escapeAttribute(uri)}"></script>`);
  const policy = [
    `default-src 'none'`,
    `style-src ${cspSource}`,
    `font-src ${cspSource}`,
    `img-src ${cspSource} blob:`,
    `script-src 'nonce-${nonce}'`,
    ...morePolicy,
  ].join('; ');
  return `<!DOCTYPE html>
<html lang="${escapeAttribute(translations.language)}">
<head>
  <meta charset="UTF-8">
  <meta http-equiv="Content-Security-Policy" content="${escapeAttribute(policy)}">
  <meta name="viewport" content="width=device-width, initial-scale=1">${preload}
  <link rel="stylesheet" href="${escapeAttribute(styleUri)}">
  <title>${escapeAttribute(title)}</title>
</head>
<body>
  <div id="root" data-translations="${escapeAttribute(JSON.stringify(translations))}"></div>
  ${scripts.join('\n  ')}
</body>
</html>
`;
}

/** The ampersand goes first, so that a text that looks like an entity stays the same. */
function escapeAttribute(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('"', '&quot;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
}
