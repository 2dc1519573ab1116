import type { FromWebviewMessage } from '../src/protocol/messages';

/** What VS Code gives to a webview, once. */
interface VsCodeApi {
  postMessage(message: FromWebviewMessage): void;
  getState(): unknown;
  setState(state: unknown): void;
}

declare function acquireVsCodeApi(): VsCodeApi;

export type { VsCodeApi };

export function vscodeApi(): VsCodeApi {
  return acquireVsCodeApi();
}
