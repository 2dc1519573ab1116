import { VSCodeProgressRing } from '@vscode/webview-ui-toolkit/react';

/** Shows that work is in progress. The text next to it names the work. */
export function ProgressRing() {
  return <VSCodeProgressRing className="progress-ring" aria-hidden="true" />;
}
