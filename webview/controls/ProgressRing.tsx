import { VSCodeProgressRing } from '@vscode/webview-ui-toolkit/react';

/** A sign that something is going on; the words beside it say what. */
export function ProgressRing() {
  return <VSCodeProgressRing className="progress-ring" aria-hidden="true" />;
}
