/** Stands in for VS Code in the test page: the theme's variables, acquireVsCodeApi, and a record of what was sent. */
import { comparePage } from '../../src/protocol/comparePage';
import { type FromInspector, inspectorPage } from '../../src/protocol/inspectorPage';
import { type PageContract, readMessage, type FromPage } from '../../src/protocol/page';
import { type FromSessionsPage, sessionsPage } from '../../src/protocol/sessionsPage';
import { themes } from '../../webview/door/themes';

export interface FakeHost {
  /** The page's messages that the host's gate accepted. */
  readonly sent: FromInspector[];
  /** The same of the page with the list of sessions. */
  readonly sentBySessions: FromSessionsPage[];
  /** The same for the Compare page. */
  readonly sentByCompare: FromPage<typeof comparePage>[];
  /** The messages that the gate rejected. */
  readonly refused: string[];
  /** Sends a message as the page would. */
  readonly receive: (message: unknown) => void;
  /** Violations of the page's policy. */
  readonly violations: string[];
  readonly applyTheme: (name: string) => void;
  /**
   * Buffers cannot be sent through the test's protocol, so they are sent as base64 and decoded here. A message for
   * another opening is the late answer of an earlier test.
   */
  readonly send: (
    message: Readonly<Record<string, unknown>>,
    buffer: string | undefined,
    opening: string,
  ) => void;
}

declare global {
  interface Window {
    fakeHost: FakeHost;
    acquireVsCodeApi: () => unknown;
    /** Called with accepted messages, if a test answers for the host. */
    noteSent?: (message: unknown) => void;
  }
}

const stateKey = 'fakeHost.state';
const openingKey = 'fakeHost.opening';
const parameters = new URLSearchParams(location.search);
const opening = parameters.get('opening') ?? '';

function decode(text: string): ArrayBuffer {
  return Uint8Array.from(atob(text), character => character.charCodeAt(0)).buffer;
}

/** Records a message that the gate accepts. Refuses any other. */
function take<Contract extends PageContract>(
  contract: Contract,
  value: unknown,
  sent: FromPage<Contract>[],
): void {
  const read = readMessage(contract, value);
  if (read.ok) {
    sent.push(read.message);
    window.noteSent?.(read.message);
    return;
  }
  const { id, what } = read;
  host.refused.push(what);
  const sentence = `Refused ${what}`;
  window.postMessage(
    id === undefined ? { type: 'refused', sentence } : { type: 'answer', id, ok: false, sentence },
    '*',
  );
}

const host: FakeHost = {
  sent: [],
  sentBySessions: [],
  sentByCompare: [],
  refused: [],
  receive(message) {
    // VS Code sends messages as JSON.
    const value: unknown = JSON.parse(JSON.stringify(message));
    switch (location.pathname) {
      case '/sessions':
        take(sessionsPage, value, host.sentBySessions);
        return;
      case '/compare':
        take(comparePage, value, host.sentByCompare);
        return;
      default:
        take(inspectorPage, value, host.sent);
    }
  },
  violations: [],
  applyTheme(name) {
    const theme = Object.entries(themes).find(([key]) => key === name)?.[1] ?? themes.dark;
    const { style } = document.documentElement;
    for (const property of [...style]) {
      style.removeProperty(property);
    }
    for (const [variable, value] of Object.entries(theme.variables)) {
      style.setProperty(`--vscode-${variable}`, value);
    }
    document.body.className = theme.bodyClass;
  },
  send(message, buffer, meant) {
    if (meant !== opening) {
      return;
    }
    const columns = message['columns'];
    const data =
      buffer !== undefined && typeof columns === 'object' && columns !== null
        ? { ...message, columns: { ...columns, buffer: decode(buffer) } }
        : message;
    window.postMessage(data, '*');
  },
};
window.fakeHost = host;
document.addEventListener('securitypolicyviolation', ({ violatedDirective, sample, lineNumber }) => {
  host.violations.push(`${violatedDirective} ${sample} line ${lineNumber}`);
});
host.applyTheme(parameters.get('theme') ?? 'dark');
// Another test has the page. A test that loads it again keeps its state.
if (sessionStorage.getItem(openingKey) !== opening) {
  sessionStorage.clear();
  sessionStorage.setItem(openingKey, opening);
}

window.acquireVsCodeApi = () => ({
  postMessage: host.receive,
  getState: (): unknown => {
    const state = sessionStorage.getItem(stateKey);
    return state === null ? undefined : JSON.parse(state);
  },
  setState: (state: unknown) => {
    sessionStorage.setItem(stateKey, JSON.stringify(state));
  },
});
