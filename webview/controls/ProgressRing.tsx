import { VSCodeProgressRing } from '@vscode/webview-ui-toolkit/react';

/** Shows that work is in progress; the text beside it names the work. */
export function ProgressRing() {
  return <VSCodeProgressRing className="progress-ring" aria-hidden="true" />;
}
