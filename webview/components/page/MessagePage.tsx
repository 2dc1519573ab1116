import { visibleText } from '../../../src/core/base/visibleText';
import { Button } from '../../controls/Button';
import { useInspector } from '../../state/inspector';
import { pageWords as words } from '../../words/page';

export interface MessagePageProps {
  readonly title: string;
  readonly text: string;
  readonly actions: readonly ('openAs' | 'openAsText' | 'retry' | 'openExample')[];
  /** The heading's level: below the session's title if that is shown. */
  readonly level?: 'h1' | 'h2';
}

/** A message instead of the session, with buttons for the next actions. */
export function MessagePage({ title, text, actions, level: Heading = 'h1' }: MessagePageProps) {
  const { act } = useInspector();
  return (
    <main className="message-page">
      <Heading className="message-page__title">{title}</Heading>
      <p className="message-page__text muted">{visibleText(text)}</p>
      <div className="message-page__actions">
        {actions.map((kind, index) => (
          <Button key={kind} appearance={index === 0 ? 'primary' : 'secondary'} onPress={() => act({ kind })}>
            {words[kind]}
          </Button>
        ))}
      </div>
    </main>
  );
}
