// Brings a model when a test asks for it. The model calls the tool for lost caches where a request has it, unless it is asked "plainly"; otherwise it answers with text.
const vscode = require('vscode');

const tool = 'why_cache_lost';

exports.activate = context => {
  context.subscriptions.push(
    vscode.commands.registerCommand('modelProvider.register', () => {
      const asked = [];
      const provider = {
        provideLanguageModelChatInformation: () => [
          {
            id: 'invented-1',
            name: 'Invented',
            family: 'invented',
            version: '1',
            maxInputTokens: 100_000,
            maxOutputTokens: 1_000,
            capabilities: { toolCalling: true },
            isUserSelectable: true,
          },
        ],
        async provideLanguageModelChatResponse(_model, messages, { tools = [] }, progress) {
          const texts = messages.map(({ content }) =>
            content.map(part => (part instanceof vscode.LanguageModelTextPart ? part.value : '')).join(''),
          );
          asked.push(texts);
          if (tools.some(({ name }) => name === tool) && !texts.join('').includes('plainly')) {
            progress.report(new vscode.LanguageModelToolCallPart('call_1', tool, { request: 54 }));
            return;
          }
          for (const value of ['The file has ', 'no text.']) {
            progress.report(new vscode.LanguageModelTextPart(value));
          }
        },
        provideTokenCount: async (_model, text) => (typeof text === 'string' ? text.length : 1),
      };
      context.subscriptions.push(
        vscode.lm.registerLanguageModelChatProvider('invented', provider),
        vscode.commands.registerCommand('modelProvider.asked', () => asked),
      );
    }),
  );
};
