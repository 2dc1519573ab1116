import type { FirstStep } from '../protocol/inspectorPage';

/** The names that package.json and the code share; a test compares the two. */

export const viewType = 'contextInspector.transcript';

export const commandIds = {
  open: 'contextInspector.open',
  openExample: 'contextInspector.openExample',
  getStarted: 'contextInspector.getStarted',
  copyLink: 'contextInspector.copyLink',
  find: 'contextInspector.find',
  showKeys: 'contextInspector.showKeys',
  openAsText: 'contextInspector.openAsText',
  exportPrunedCopy: 'contextInspector.exportPrunedCopy',
  exportTwin: 'contextInspector.exportTwin',
  exportReport: 'contextInspector.exportReport',
  exportDrawing: 'contextInspector.exportDrawing',
  exportContext: 'contextInspector.exportContext',
  handOff: 'contextInspector.handOff',
  compare: 'contextInspector.compare',
  setApiKey: 'contextInspector.setApiKey',
  removeApiKey: 'contextInspector.removeApiKey',
  openLive: 'contextInspector.openLive',
  openReplays: 'contextInspector.openReplays',
  usage: 'contextInspector.usage',
  whatIf: 'contextInspector.whatIf',
  deleteIndex: 'contextInspector.deleteIndex',
  searchAllSessions: 'contextInspector.searchAllSessions',
  sessionsRefresh: 'contextInspector.sessions.refresh',
  sessionsSearch: 'contextInspector.sessions.search',
  // Not `.open`, because VS Code defines that command for every view.
  sessionsOpen: 'contextInspector.sessions.openSession',
  sessionsOpenToSide: 'contextInspector.sessions.openToSide',
  sessionsOpenAsText: 'contextInspector.sessions.openAsText',
  sessionsReveal: 'contextInspector.sessions.reveal',
  sessionsCopyPath: 'contextInspector.sessions.copyPath',
} as const;

/** Shows a place of a session. Links of chat answers run it; it is in no menu. */
export const showPlaceCommand = 'contextInspector.showPlace';

/** The names of the tools for chat begin with this, because all extensions share the names. */
export const toolPrefix = 'contextInspector_';

/** Answers `@context` in the chat. */
export const chatParticipantId = 'contextInspector.context';

/** Lists the server of the tools among the MCP servers. */
export const serverProviderId = 'contextInspector.server';

/** The page with two sessions side by side. */
export const comparePageType = 'contextInspector.comparison';

/** The list of the sessions on this machine. */
export const sessionsViewId = 'contextInspector.sessions';

/** The page with the usage of all sessions. */
export const usagePageType = 'contextInspector.usage';

export const outputChannelName = 'Context Inspector';

/** Scheme of the read-only documents with texts that are in no file: a record of a transcript, the content of a hand-off. */
export const textScheme = 'context-inspector-text';

/** The walkthrough that "Get Started" opens. */
export const walkthroughId = 'contextInspector.start';

/** Context keys that complete steps of the walkthrough. */
export const stepContext = (step: FirstStep): string => `contextInspector.${step}`;

/** The bundled example below the extension's folder. */
export const examplePath = ['media', 'example', 'session.jsonl'] as const;
