// Opens the workspace's session.jsonl in the editor of the extension under development. Command line arguments and the workbench's own
// `openFile` come too early: the workbench does not know the editor yet and falls back to plain text.
const vscode = require('vscode');

exports.activate = async () => {
  const [folder] = vscode.workspace.workspaceFolders ?? [];
  if (folder !== undefined) {
    const transcript = vscode.Uri.joinPath(folder.uri, 'session.jsonl');
    await vscode.commands.executeCommand('vscode.openWith', transcript, 'contextInspector.transcript');
  }
};
