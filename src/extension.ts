import './host/messages/translations';
import * as vscode from 'vscode';
import { type InspectorApi, inspectorApi } from './host/api';
import { AskService } from './host/asking/askService';
import { registerServer } from './host/chat/mcpServer';
import { registerParticipant } from './host/chat/participant';
import { registerTools } from './host/chat/languageModelTools';
import { SessionQuestions } from './host/chat/sessionQuestions';
import { registerCommands } from './host/commands';
import { ComparePages } from './host/pages/comparePages';
import { Configuration } from './host/settings/configuration';
import { LiveStatusBar } from './host/statusBar/liveStatus';
import { manifestScheme, outputChannelName, recordScheme } from './host/manifest';
import { RecordDocuments } from './host/editor/recordDocuments';
import { SessionIndex } from './host/sessions/sessionIndex';
import { SessionsView } from './host/sessions/sessionsView';
import { TranscriptEditorProvider } from './host/editor/transcriptEditorProvider';
import { UsagePanel } from './host/pages/usagePanel';
import { createLog } from './host/messages/userMessages';
import { cleanStorage, threadOfBundle, workerStart } from './host/threads/workerStart';
import { workspacePaths } from './host/links/workspacePaths';

/** Sets up the extension and returns the interface for other extensions and the tests. */
export function activate(context: vscode.ExtensionContext): InspectorApi {
  const { extension, globalState, globalStorageUri, secrets, subscriptions } = context;
  const log = createLog(outputChannelName);
  const configuration = new Configuration(log);
  const askService = new AskService(secrets, configuration, globalStorageUri);
  const start = workerStart(context);
  const startWorker = threadOfBundle(context, 'worker.js');
  const provider = new TranscriptEditorProvider({
    extension,
    startWorker,
    workerStart: start,
    configuration,
    askService,
    log,
    memory: globalState,
  });
  const comparePages = new ComparePages({
    startWorker,
    extensionUri: extension.extensionUri,
    provider,
    configuration,
    log,
  });
  const index = new SessionIndex({
    startThread: threadOfBundle(context, 'sessionIndex.js'),
    configuration,
    workspaceFolders: workspacePaths,
    log,
  });
  const questions = new SessionQuestions({ startWorker, provider, configuration });
  cleanStorage(context);
  const records = new RecordDocuments(uri => provider.find(uri));
  subscriptions.push(
    log,
    provider,
    vscode.workspace.registerTextDocumentContentProvider(recordScheme, records),
    vscode.workspace.registerTextDocumentContentProvider(manifestScheme, {
      provideTextDocumentContent: ({ query }) => query,
    }),
    askService,
    registerCommands(provider, extension),
    questions,
    registerTools(extension, questions),
    registerServer(extension, configuration, log),
    registerParticipant(extension, { questions, opener: provider, log }),
    comparePages,
    index,
    new SessionsView({
      extensionUri: extension.extensionUri,
      index,
      memory: globalState,
      startWorker,
      configuration,
      comparePages,
      log,
    }),
    new UsagePanel({ extensionUri: extension.extensionUri, index, provider, configuration, log }),
    new LiveStatusBar({
      startWorker,
      provider,
      configuration,
      memory: globalState,
      log,
    }),
  );
  return inspectorApi(provider, start?.cacheFolder, globalState);
}
