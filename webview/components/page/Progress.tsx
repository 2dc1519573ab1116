import { formatShare } from '../../../src/core/base/format';
import type { Progress } from '../../../src/protocol/sessionMessages';
import { Button } from '../../controls/Button';
import { ProgressRing } from '../../controls/ProgressRing';
import { useAppState, useInspector } from '../../state/inspector';
import { pageWords } from '../../words/page';

function words({ phase, done, total }: Progress): string {
  return total > 0
    ? `${pageWords.phase(phase)} · ${formatShare(Math.min(1, done / total))}`
    : pageWords.phase(phase);
}

function Bar({ progress }: { readonly progress: Progress }) {
  const share = progress.total > 0 ? Math.min(1, progress.done / progress.total) : 0;
  return (
    <div
      className="progress-bar"
      role="progressbar"
      aria-label={pageWords.phase(progress.phase)}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.round(share * 100)}
    >
      <div className="progress-bar__done" style={{ width: `${share * 100}%` }} />
    </div>
  );
}

/** A thin bar above the session until all figures are known. */
export function ProgressStrip() {
  const progress = useAppState(state => state.progress);
  const { act } = useInspector();
  if (progress === undefined) {
    return undefined;
  }
  return (
    <section className="progress-strip" aria-label={pageWords.phase(progress.phase)}>
      <Bar progress={progress} />
      <span className="progress-strip__words muted fine">{words(progress)}</span>
      <Button appearance="icon" name={pageWords.cancel} onPress={() => act({ kind: 'cancel' })}>
        ✕
      </Button>
    </section>
  );
}

/** The page before a session is open. */
export function WaitingPage() {
  const progress = useAppState(state => state.progress);
  const { act } = useInspector();
  return (
    <main className="message-page">
      <ProgressRing />
      <h1 className="message-page__title">{pageWords.waiting}</h1>
      {progress !== undefined && (
        <>
          <Bar progress={progress} />
          <p className="message-page__text muted" role="status">
            {words(progress)}
          </p>
        </>
      )}
      <div className="message-page__actions">
        <Button onPress={() => act({ kind: 'cancel' })}>{pageWords.cancel}</Button>
      </div>
    </main>
  );
}
