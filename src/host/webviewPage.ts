import * as vscode from 'vscode';
import { currentTranslations } from '../core/base/translate';
import { createNonce, webviewHtml } from './webviewHtml';

/** Fills a webview with one of the extension's pages: a script and a style sheet of the same name. */
export function showPage(
  webview: vscode.Webview,
  extensionUri: vscode.Uri,
  { name, title }: { readonly name: 'webview' | 'sessions' | 'usage' | 'compare'; readonly title: string },
): void {
  const dist = vscode.Uri.joinPath(extensionUri, 'dist');
  const address = (file: string): string => webview.asWebviewUri(vscode.Uri.joinPath(dist, file)).toString();
  webview.options = { enableScripts: true, localResourceRoots: [dist] };
  webview.html = webviewHtml({
    cspSource: webview.cspSource,
    nonce: createNonce(),
    scriptUri: address(`${name}.js`),
    styleUri: address(`${name}.css`),
    title,
    translations: currentTranslations(),
  });
}
