import './host/messages/translations';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { AskService } from './app/asking/askService';
import type { Surroundings } from './app/desk';
import { SessionIndex } from './app/sessions/sessionIndex';
import { SessionsApp } from './app/sessions/sessionsApp';
import { Configuration } from './app/settings/configuration';
import { UsageApp } from './app/usage/usageApp';
import { type InspectorApi, inspectorApi } from './host/api';
import { registerKeyCommands, storedKeys } from './host/asking/apiKeys';
import { vscodeModels } from './host/asking/languageModels';
import { registerServer } from './host/chat/mcpServer';
import { registerParticipant } from './host/chat/participant';
import { registerTools } from './host/chat/languageModelTools';
import { SessionQuestions } from './host/chat/sessionQuestions';
import { registerCommands } from './host/commands';
import { vscodeFiles } from './host/desk/files';
import { vscodeSettings } from './host/desk/settingStore';
import { TextDocuments } from './host/desk/textDocuments';
import { vscodeDesk } from './host/desk/vscodeDesk';
import { TranscriptEditorProvider } from './host/editor/transcriptEditorProvider';
import { workspacePaths } from './host/links/workspacePaths';
import { outputChannelName } from './host/manifest';
import { createLog, showMessage } from './host/messages/userMessages';
import { ComparePages } from './host/pages/comparePages';
import { UsagePanel } from './host/pages/usagePanel';
import { registerSessionsView } from './host/sessions/sessionsView';
import { LiveStatusBar } from './host/statusBar/liveStatus';
import { cleanStorage, threadOfBundle, workerStart } from './host/threads/workerStart';

/** Sets up the extension and returns the interface for other extensions and the tests. */
export function activate(context: vscode.ExtensionContext): InspectorApi {
  const { extension, globalState, globalStorageUri, secrets, subscriptions } = context;
  const { extensionUri } = extension;
  const log = createLog(outputChannelName);
  const configuration = new Configuration(vscodeSettings, log, sentence => {
    showMessage('warning', sentence);
  });
  const surroundings: Surroundings = {
    log,
    files: vscodeFiles,
    memory: globalState,
    folders: workspacePaths,
    onDidChangeFolders: listener => vscode.workspace.onDidChangeWorkspaceFolders(listener),
  };
  const texts = new TextDocuments();
  const desk = vscodeDesk({ extension, opener: () => provider, texts });
  const keys = storedKeys(secrets);
  const askService = new AskService({
    configuration,
    keys,
    ownModels: vscodeModels,
    isTrusted: () => vscode.workspace.isTrusted,
    replays: join(globalStorageUri.fsPath, 'replays'),
  });
  const start = workerStart(context);
  const startWorker = threadOfBundle(context, 'worker.js');
  const provider: TranscriptEditorProvider = new TranscriptEditorProvider({
    extension,
    startWorker,
    workerStart: start,
    configuration,
    askService,
    desk,
    surroundings,
  });
  const comparePages = new ComparePages({ startWorker, extensionUri, provider, configuration, desk, log });
  const index = new SessionIndex({
    startThread: threadOfBundle(context, 'sessionIndex.js'),
    configuration,
    workspaceFolders: workspacePaths,
    log,
  });
  const sessions = new SessionsApp({ startWorker, configuration, index, surroundings });
  const usage = new UsageApp({ index, configuration, log });
  const questions = new SessionQuestions({ startWorker, provider, configuration });
  cleanStorage(context);
  subscriptions.push(
    log,
    provider,
    texts,
    registerKeyCommands({ secrets, askService, desk }),
    registerCommands(provider, extension),
    questions,
    registerTools(extension, questions),
    registerServer(extension, configuration, log),
    registerParticipant(extension, { questions, opener: provider, log }),
    comparePages,
    index,
    sessions,
    usage,
    registerSessionsView({ extensionUri, sessions, comparePages, desk, log }),
    new UsagePanel({ extensionUri, usage, desk, log }),
    new LiveStatusBar({ startWorker, provider, configuration, surroundings }),
  );
  return inspectorApi(provider, start?.cacheFolder, globalState);
}
