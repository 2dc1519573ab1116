import {
  type ActOf,
  isAnswer,
  isCalled,
  isNews,
  isRefused,
  type NewsOf,
  type PageContract,
} from '../../src/protocol/page';
import { type Ask, Questions } from '../../src/protocol/rpc';

/** The API that VS Code gives to a webview, once. */
export interface VsCodeApi {
  postMessage(message: unknown): void;
  getState(): unknown;
  setState(state: unknown): void;
}

declare global {
  function acquireVsCodeApi(): VsCodeApi;
}

/** The host, as a page sees it. */
export interface Host<Contract extends PageContract> {
  /** Rejects with one sentence that can be shown. */
  readonly ask: Ask<Contract['questions']>;
  readonly act: (act: ActOf<Contract>) => void;
}

/**
 * Connects a page with the host, which sends it everything from now on. Other scripts of the window post messages as
 * well.
 */
export function connectHost<Contract extends PageContract>(
  api: VsCodeApi,
  contract: Contract,
  receive: (news: NewsOf<Contract>) => void,
  onRefused: (sentence: string) => void = () => undefined,
): Host<Contract> {
  const questions = new Questions<Contract['questions']>(contract.questions, message =>
    api.postMessage(message),
  );
  window.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    if (isAnswer(data)) {
      questions.receive(data);
    } else if (isRefused(data)) {
      onRefused(data.sentence);
    } else if (isCalled(data)) {
      api.postMessage({ type: 'here' });
    } else if (isNews(contract, data)) {
      receive(data);
    }
  });
  api.postMessage({ type: 'ready' });
  return { ask: questions.ask, act: act => api.postMessage({ type: 'act', act }) };
}
