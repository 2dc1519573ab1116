import type {
  McpUiHostContext,
  McpUiInitializeRequest,
  McpUiSizeChangedNotification,
} from '@modelcontextprotocol/ext-apps';
import { isObject, member, numberAt, objectAt, stringAt } from '../../src/core/base/json';

// The page's side of MCP Apps (https://github.com/modelcontextprotocol/ext-apps). The library's own class for it would
// add 640 kB to a page that sends three messages.

/** The part of the host's context that a picture needs. */
export interface HostLook {
  readonly theme?: McpUiHostContext['theme'];
  /** CSS variables by name. */
  readonly variables: Readonly<Record<string, string>>;
}

export interface HostEvents {
  readonly look: (look: HostLook) => void;
  /** A result of the tool, as the server sent it. */
  readonly result: (result: unknown) => void;
}

const initialize: McpUiInitializeRequest = {
  method: 'ui/initialize',
  params: {
    appInfo: { name: 'context-inspector', version: '1' },
    appCapabilities: {},
    protocolVersion: '2026-01-26',
  },
};
const initializeId = 1;
const methodNotFound = -32_601;

/** Begins to speak with the host around the page. Only its messages are read. */
export function connectToHost({ look, result }: HostEvents): void {
  let known: HostLook = { variables: {} };
  const learn = (context: unknown): void => {
    const theme = stringAt(context, 'theme');
    const variables = objectAt(objectAt(context, 'styles'), 'variables');
    known = {
      theme: theme === 'light' || theme === 'dark' ? theme : known.theme,
      variables: isObject(variables) ? textsOf(variables) : known.variables,
    };
    look(known);
  };
  window.addEventListener('message', ({ data, source }: MessageEvent<unknown>) => {
    if (source !== window.parent || stringAt(data, 'jsonrpc') !== '2.0') {
      return;
    }
    const method = stringAt(data, 'method');
    const id = member(data, 'id');
    if (method === undefined && numberAt(data, 'id') === initializeId) {
      learn(objectAt(objectAt(data, 'result'), 'hostContext'));
      send({ method: 'ui/notifications/initialized' });
    } else if (method === 'ui/notifications/host-context-changed') {
      learn(objectAt(data, 'params'));
    } else if (method === 'ui/notifications/tool-result') {
      result(objectAt(data, 'params'));
    } else if (method === 'ui/resource-teardown' || method === 'ping') {
      send({ id, result: {} });
    } else if (method !== undefined && id !== undefined) {
      send({ id, error: { code: methodNotFound, message: 'Method not found' } });
    }
  });
  send({ id: initializeId, ...initialize });
}

/** Tells the host how high the page is, in CSS pixels. */
export function sendHeight(height: number): void {
  const message: McpUiSizeChangedNotification = {
    method: 'ui/notifications/size-changed',
    params: { height },
  };
  send(message);
}

const send = (message: object): void => {
  // The host's origin is not known to a page in a sandbox, and nothing secret is sent.
  window.parent.postMessage({ jsonrpc: '2.0', ...message }, '*');
};

const textsOf = (variables: object): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(variables).flatMap(([name, value]: readonly [string, unknown]) =>
      typeof value === 'string' ? [[name, value] as const] : [],
    ),
  );
