import { visibleText } from '../../src/core/base/visibleText';
import { Button } from '../controls/Button';
import { useInspector } from '../state/inspector';
import { pageWords as words } from '../words/page';

export interface MessagePageProps {
  readonly title: string;
  readonly text: string;
  readonly actions: readonly ('openAsText' | 'retry')[];
}

/** A message instead of the session, with buttons for what to do next. */
export function MessagePage({ title, text, actions }: MessagePageProps) {
  const { act } = useInspector();
  return (
    <main className="message-page">
      <h1 className="message-page__title">{title}</h1>
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
