import * as vscode from 'vscode';
import { translate } from '../../core/base/translate';
import { textScheme } from '../manifest';

/** Shows texts that are in no file, as read-only documents. A text is kept while its document is open. */
export class TextDocuments implements vscode.Disposable {
  private readonly texts = new Map<string, string>();
  private readonly registrations: vscode.Disposable;

  constructor() {
    this.registrations = vscode.Disposable.from(
      vscode.workspace.registerTextDocumentContentProvider(textScheme, {
        provideTextDocumentContent: uri =>
          this.texts.get(uri.toString()) ?? translate('This text is no longer available.'),
      }),
      vscode.workspace.onDidCloseTextDocument(({ uri }) => this.texts.delete(uri.toString())),
    );
  }

  async show(name: string, text: string): Promise<void> {
    const uri = vscode.Uri.from({ scheme: textScheme, path: `/${name}` });
    this.texts.set(uri.toString(), text);
    const document = await vscode.workspace.openTextDocument(uri);
    await vscode.window.showTextDocument(document, { viewColumn: vscode.ViewColumn.Beside, preview: true });
  }

  dispose(): void {
    this.registrations.dispose();
  }
}
