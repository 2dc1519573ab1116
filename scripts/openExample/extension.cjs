// Opens the file that CONTEXT_INSPECTOR_OPEN names, in the editor of the extension under development. Command line arguments and the
// workbench's own `openFile` come too early: the workbench does not know the editor yet and falls back to plain text.
const vscode = require('vscode');

exports.activate = async () => {
  const path = process.env.CONTEXT_INSPECTOR_OPEN;
  if (path !== undefined) {
    const file = vscode.Uri.file(path);
    await vscode.commands.executeCommand('vscode.openWith', file, 'contextInspector.transcript');
  }
};
