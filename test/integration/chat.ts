import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { toolPrefix } from '../../src/host/manifest';
import { eventually, ui, waitUntil } from './driver';
import { answerMessage, closeQuestion } from './workbench';

/** The text of a tool's answer. */
const textOf = ({ content }: vscode.LanguageModelToolResult): string =>
  content.map(part => (part instanceof vscode.LanguageModelTextPart ? part.value : '?')).join('');

/** Calls a tool of the chat as another extension does. In tests, VS Code itself confirms what the user would be asked. */
export async function askTool(name: string, input: object): Promise<string> {
  return textOf(
    await vscode.lm.invokeTool(`${toolPrefix}${name}`, { input, toolInvocationToken: undefined }),
  );
}

/** A row of a list by what it is for. One that was used for another entry still holds that one's text, out of view. */
const listRow = (name: string): string => `.quick-input-widget .monaco-list-row[aria-label^="${name}"]`;
const serverRow = listRow('Context Inspector');

/** Opens VS Code's list of MCP servers. */
async function listServers(): Promise<void> {
  // The command ends when the list is closed.
  vscode.commands.executeCommand('workbench.mcp.listServer').then(undefined, () => undefined);
  await ui(({ page }, row) => page.locator(row).waitFor(), listRow('Add Server'));
}

/** Waits until the list of MCP servers has the server of the extension, or has it no longer. The open list follows. */
export async function untilListed(isListed: boolean): Promise<void> {
  await listServers();
  await ui(({ page }, { row, state }) => page.locator(row).waitFor({ state }), {
    row: serverRow,
    state: isListed ? ('visible' as const) : ('hidden' as const),
  });
  await closeQuestion();
}

/** Chooses an entry of the server's menu in the list of MCP servers. */
export async function onServer(entry: string): Promise<void> {
  await listServers();
  for (const row of [serverRow, listRow(entry)]) {
    await ui(({ page }, wanted) => page.locator(wanted).first().click(), row);
  }
}

/** Presses a button of the question that comes when VS Code starts the server. */
export const decide = (button: string): Promise<void> =>
  answerMessage('Allow VS Code to start the MCP server', button);

/** The server's tools that VS Code knows. */
export const serverTools = (): readonly string[] =>
  vscode.lm.tools.flatMap(({ name }) => (/^mcp_.*(?:context_status|was_seen)$/.test(name) ? [name] : []));

/** Asks a tool of the running server. */
export async function askServer(): Promise<string> {
  await waitUntil('VS Code has the tools of the server', () => serverTools().length === 2);
  const name = serverTools().find(each => each.endsWith('context_status')) ?? assert.fail();
  return textOf(await vscode.lm.invokeTool(name, { input: {}, toolInvocationToken: undefined }));
}

/** Registers the invented model of test/integration/modelProvider. */
export async function bringModel(): Promise<void> {
  if ((await vscode.lm.selectChatModels({ vendor: 'invented' })).length === 0) {
    await vscode.commands.executeCommand('modelProvider.register');
    await eventually(
      'the model is offered',
      async () => (await vscode.lm.selectChatModels({ vendor: 'invented' })).length > 0,
    );
  }
}

/** Asks in the chat with the invented model, and resolves with the text of the answer once it contains `part`. */
export async function chat(query: string, part: string): Promise<string> {
  await vscode.commands.executeCommand('workbench.action.chat.open', {
    query,
    modelSelector: { vendor: 'invented' },
  });
  const text = await ui(async ({ page }, wanted) => {
    const answer = page.locator('.interactive-response').last();
    await answer.getByText(wanted).first().waitFor();
    return answer.innerText();
  }, part);
  return String(text);
}
