import type * as vscode from 'vscode';
import { viewType } from '../manifest';

/**
 * The window's address of a file: in a remote window, it names the remote machine. VS Code reveals it only in the
 * addresses from which webviews load files (vs/workbench/contrib/webview/common/webview.ts).
 */
export function addressInWindow(file: vscode.Uri, webview: vscode.Webview): vscode.Uri {
  const { authority } = webview.asWebviewUri(file);
  const remote = /^(?<scheme>vscode-remote)\+(?<authority>[^.]+)\./.exec(authority)?.groups;
  const decoded = (remote?.['authority'] ?? '').replace(/-([\da-f]{4})/g, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
  return remote === undefined ? file : file.with({ scheme: 'vscode-remote', authority: decoded });
}

/** The data that VS Code accepts when dropped on the editor area (vs/platform/dnd/browser/dnd.ts). */
export function dragOf(resource: vscode.Uri): { readonly uri: string; readonly editors: string } {
  const editors = [{ resource, options: { override: viewType } }];
  return { uri: resource.toString(), editors: JSON.stringify(editors) };
}
