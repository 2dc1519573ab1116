// Registers a model when a test asks for it; rejects where this VS Code has no such interface, or does not give it to extensions.
const vscode = require('vscode');

exports.activate = context => {
  context.subscriptions.push(
    vscode.commands.registerCommand('modelProvider.register', () => {
      const asked = [];
      const provider = {
        async provideLanguageModelResponse(messages, _options, _extensionId, progress) {
          asked.push(
            messages.map(({ content }) =>
              content.map(part => (part instanceof vscode.LanguageModelTextPart ? part.value : '')).join(''),
            ),
          );
          for (const value of ['The file has ', 'no text.']) {
            progress.report({ index: 0, part: new vscode.LanguageModelTextPart(value) });
          }
        },
        provideTokenCount: async text => (typeof text === 'string' ? text.length : 1),
      };
      context.subscriptions.push(
        vscode.lm.registerChatModelProvider('invented-1', provider, {
          vendor: 'invented',
          name: 'Invented',
          family: 'invented',
          version: '1',
          maxInputTokens: 100_000,
          maxOutputTokens: 1_000,
          isUserSelectable: true,
        }),
        vscode.commands.registerCommand('modelProvider.asked', () => asked),
      );
    }),
  );
};
