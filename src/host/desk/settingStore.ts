import * as vscode from 'vscode';
import type { SettingStore } from '../../app/settings/configuration';

/** The settings of VS Code. */
export const vscodeSettings: SettingStore = {
  get: id => vscode.workspace.getConfiguration().get(id),
  setValue: (id, scope) => {
    const values = vscode.workspace.getConfiguration().inspect(id);
    return scope === 'user' ? values?.globalValue : (values?.workspaceFolderValue ?? values?.workspaceValue);
  },
  update: (id, value, scope) =>
    vscode.workspace
      .getConfiguration()
      .update(
        id,
        value,
        scope === 'user' ? vscode.ConfigurationTarget.Global : vscode.ConfigurationTarget.Workspace,
      ),
  onDidChange: listener =>
    vscode.workspace.onDidChangeConfiguration(event => listener(id => event.affectsConfiguration(id))),
};
