import * as vscode from 'vscode';
import { stringAt } from '../../core/base/json';
import { translate } from '../../core/base/translate';
import { allFoldersArgument, foldersVariable } from '../../core/finder/addedFolders';
import { folderVariable } from '../../node/index/indexFolder';
import { workspacePaths } from '../links/workspacePaths';
import { serverProviderId } from '../manifest';
import { describeAnyError } from '../../node/files/fileErrors';
import { showMessage } from '../messages/userMessages';
import type { Log } from '../../app/desk';
import type { Configuration } from '../../app/settings/configuration';

/** VS Code's own Node is Electron, unless VS Code runs on a server. */
const asNode = process.versions['electron'] === undefined ? {} : { ELECTRON_RUN_AS_NODE: '1' };

/**
 * Lists the server of the tools among VS Code's MCP servers. VS Code trusts the servers of extensions, and may start them
 * with a message in the chat, so the user is asked here first.
 */
export function registerServer(
  { extensionUri, packageJSON }: vscode.Extension<unknown>,
  configuration: Configuration,
  log: Log,
): vscode.Disposable {
  const change = new vscode.EventEmitter<void>();
  const bundle = vscode.Uri.joinPath(extensionUri, 'dist', 'worker.js').fsPath;
  const manifest: unknown = packageJSON;
  /** The question to the user that is still open. */
  let asking: Promise<void> | undefined;
  const askOnce = (): void => {
    asking ??= ask(configuration)
      .catch((error: unknown) => log.error(describeAnyError(error)))
      .finally(() => {
        asking = undefined;
      });
  };
  return vscode.Disposable.from(
    change,
    configuration.onDidChange('mcp', () => change.fire()),
    configuration.onDidChange('sessions.folders', () => change.fire()),
    configuration.onDidChange('index', () => change.fire()),
    vscode.workspace.onDidChangeWorkspaceFolders(() => change.fire()),
    vscode.lm.registerMcpServerDefinitionProvider(serverProviderId, {
      onDidChangeMcpServerDefinitions: change.event,
      provideMcpServerDefinitions: () => {
        if (configuration.get('mcp.server') === 'off') {
          return [];
        }
        const server = new vscode.McpStdioServerDefinition(
          'Context Inspector',
          process.execPath,
          [bundle, ...(configuration.get('mcp.allFolders') ? [allFoldersArgument] : []), ...workspacePaths()],
          { ...asNode, ...variablesOf(configuration) },
          stringAt(manifest, 'version') ?? '',
        );
        const [folder] = vscode.workspace.workspaceFolders ?? [];
        if (folder?.uri.scheme === 'file') {
          server.cwd = folder.uri;
        }
        return [server];
      },
      // Not waiting for the user, because the chat waits for the servers that it starts.
      resolveMcpServerDefinition: server => {
        const decision = configuration.get('mcp.server');
        if (decision === 'ask') {
          askOnce();
        }
        return decision === 'on' ? server : undefined;
      },
    }),
  );
}

/** The user's settings that the server reads from its environment. */
function variablesOf(configuration: Configuration): Readonly<Record<string, string>> {
  const folders = configuration.get('sessions.folders').map(({ folder, rules }) => ({
    folder,
    paths: Object.fromEntries(rules.map(({ from, to }) => [from, to])),
  }));
  return {
    [foldersVariable]: JSON.stringify(folders),
    ...(configuration.get('index.enabled') ? {} : { [folderVariable]: 'off' }),
  };
}

/** Lets the user decide if the server may be started. */
async function ask(configuration: Configuration): Promise<void> {
  const allow = translate('Allow');
  const remove = translate('Remove from the List');
  const question = translate('Allow VS Code to start the MCP server of Context Inspector?');
  const effect = translate(
    'With it, agents that use the MCP servers of VS Code can ask about the sessions of the workspace. The answers go to the models of these agents, without secrets. The chat of VS Code has the same tools without it.',
  );
  const pressed = await showMessage('information', `${question} ${effect}`, allow, remove);
  if (pressed !== undefined) {
    await configuration.saveServer(pressed === allow ? 'on' : 'off');
  }
}
