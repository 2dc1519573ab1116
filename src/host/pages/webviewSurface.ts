import * as vscode from 'vscode';
import type { Log, Surface } from '../../app/desk';
import { createNonce, webviewHtml } from '../../app/pageHtml';
import { currentTranslations } from '../../core/base/translate';
import { describeFileError } from '../../node/files/fileErrors';
import { plainText } from '../messages/plainText';

interface SurfaceTools {
  readonly extensionUri: vscode.Uri;
  readonly log: Log;
  /** The name of the page's script and style sheet. */
  readonly script: 'webview' | 'sessions' | 'usage' | 'compare';
  /** For people. */
  readonly title: string;
}

/** Fills a panel or a view with a page of the extension. */
export function webviewSurface(
  surface: vscode.WebviewPanel | vscode.WebviewView,
  { extensionUri, log, script, title }: SurfaceTools,
): Surface {
  const { webview } = surface;
  if ('iconPath' in surface) {
    // The text editor of a transcript has the icon of the file, and VS Code's own icon of a page is hard to see.
    const icon = (kind: 'light' | 'dark'): vscode.Uri =>
      vscode.Uri.joinPath(extensionUri, 'media', `tab-${kind}.svg`);
    surface.iconPath = { light: icon('light'), dark: icon('dark') };
  }
  const dist = vscode.Uri.joinPath(extensionUri, 'dist');
  const address = (file: string): string => webview.asWebviewUri(vscode.Uri.joinPath(dist, file)).toString();
  webview.options = { enableScripts: true, localResourceRoots: [dist] };
  webview.html = webviewHtml({
    cspSource: webview.cspSource,
    nonce: createNonce(),
    scriptUri: address(`${script}.js`),
    styleUri: address(`${script}.css`),
    title,
    translations: currentTranslations(),
  });
  return {
    onMessage: listener => webview.onDidReceiveMessage(listener),
    post: message => {
      webview.postMessage(message).then(undefined, (error: unknown) => log.error(describeFileError(error)));
    },
    get isVisible() {
      return surface.visible;
    },
    onVisible: listener =>
      'onDidChangeVisibility' in surface
        ? surface.onDidChangeVisibility(() => listener(surface.visible))
        : surface.onDidChangeViewState(() => listener(surface.visible)),
    onClose: listener => surface.onDidDispose(() => listener(undefined)),
    // VS Code before 1.110 shows the name of a custom editor's file always.
    setTitle: given => {
      const shown = plainText(given);
      if (shown !== surface.title) {
        surface.title = shown;
      }
    },
  };
}
