import { useEffect } from 'react';
import { visibleText } from '../../../src/core/base/visibleText';
import { leftOutSentence, problemsSentence } from '../../../src/core/model/driftWords';
import { Button } from '../../controls/Button';
import { requestInView } from '../../state/derived';
import { type Page, type SessionInView, useAppState, useInspector } from '../../state/inspector';
import { usePageKeys } from '../../state/pageKeys';
import { pageWords as words } from '../../words/page';
import { Header } from './Header';
import { KeysHelp } from './KeysHelp';
import { MessagePage } from './MessagePage';
import { ProgressStrip, WaitingPage } from './Progress';
import { SessionBody } from './SessionBody';
import { LookList } from '../look/LookList';
import { LookStrip } from '../look/LookStrip';
import { Timeline } from '../timeline/Timeline';

/** @param onReady gets true when a session is shown */
export function App({ onReady }: { readonly onReady: (isReady: boolean) => void }) {
  const page = useAppState(state => state.page);
  useEffect(() => {
    onReady(page.kind === 'session');
  }, [onReady, page.kind]);
  usePageKeys();
  return (
    <>
      <Notice />
      <PageInView page={page} />
      <KeysHelp />
    </>
  );
}

/** An error without a place of its own in the page, until the user closes it. */
function Notice() {
  const notice = useAppState(state => state.notice);
  const { dismissNotice } = useInspector();
  return notice === undefined ? undefined : (
    <div className="notice row" role="alert">
      <span>{visibleText(notice)}</span>
      <Button appearance="icon" name={words.close} onPress={dismissNotice}>
        ✕
      </Button>
    </div>
  );
}

function PageInView({ page }: { readonly page: Page }) {
  switch (page.kind) {
    case 'waiting':
      return <WaitingPage />;
    case 'failed':
      return (
        <MessagePage
          title={words.failedTitle}
          text={page.sentence}
          actions={[
            ...(page.canOpenAsText ? (['openAsText'] as const) : []),
            ...(page.canOpenAs ? (['openAs'] as const) : []),
            'retry',
            'openExample',
          ]}
        />
      );
    case 'cancelled':
      return (
        <MessagePage
          title={words.cancelledTitle}
          text={words.cancelledText}
          actions={['retry', 'openAsText']}
        />
      );
    case 'session':
      return <SessionPage session={page.session} />;
  }
}

/** The reason why a session shows nothing: the records found in the file, and why they were left out. */
function emptyReason({ summary }: SessionInView): string {
  const { leftOut, problems } = summary;
  const others = problems.filter(({ kind }) => kind !== 'noRequests');
  return [
    words.emptyText,
    words.emptyOf(summary.agent.name || summary.format),
    ...(leftOut.length === 0 ? [] : [`${leftOutSentence(leftOut)}.`]),
    ...(others.length === 0 ? [] : [`${problemsSentence(others)}.`]),
  ].join(' ');
}

function SessionPage({ session }: { readonly session: SessionInView }) {
  const request = useAppState(state => requestInView(session.columns, state.view));
  return (
    <div className="session">
      <div className="session__frame">
        <ProgressStrip />
        <Header session={session} request={request} />
        {request === undefined ? (
          <MessagePage
            title={words.emptyTitle}
            text={emptyReason(session)}
            actions={[
              'openAsText',
              ...(session.summary.otherFormats?.length ? (['openAs'] as const) : []),
              'openExample',
            ]}
            level="h2"
          />
        ) : (
          <>
            <div>
              <Timeline session={session} request={request} />
              <LookStrip isPending={session.pending !== undefined} />
            </div>
            <SessionBody session={session} request={request} />
            <LookList session={session} />
          </>
        )}
      </div>
    </div>
  );
}
