import type { FromWebviewMessage } from '../src/protocol/messages';

/** What VS Code gives to a webview, once. */
export interface VsCodeApi<Message = FromWebviewMessage> {
  postMessage(message: Message): void;
  getState(): unknown;
  setState(state: unknown): void;
}

declare function acquireVsCodeApi<Message>(): VsCodeApi<Message>;

export function vscodeApi<Message = FromWebviewMessage>(): VsCodeApi<Message> {
  return acquireVsCodeApi<Message>();
}
