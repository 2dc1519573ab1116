import { Component, type ReactNode } from 'react';
import { pageWords as words } from '../../words/page';
import { MessagePage } from '../page/MessagePage';

interface Props {
  readonly children: ReactNode;
}

interface State {
  readonly failure: string | undefined;
}

/** Shows a message instead of an empty editor when rendering fails. */
export class ErrorBoundary extends Component<Props, State> {
  override state: State = { failure: undefined };

  static getDerivedStateFromError(error: unknown): State {
    return { failure: error instanceof Error ? error.message : String(error) };
  }

  override render(): ReactNode {
    const { failure } = this.state;
    return failure === undefined ? (
      this.props.children
    ) : (
      <MessagePage title={words.crashedTitle} text={failure} actions={['openAsText']} />
    );
  }
}
