import { Component, type ReactNode } from 'react';
import { strings } from '../strings';
import { MessagePage } from './MessagePage';

interface Props {
  readonly children: ReactNode;
}

interface State {
  readonly failure: string | undefined;
}

/** Shows in words that drawing failed, instead of an empty editor. */
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
      <MessagePage title={strings.crashedTitle} text={failure} actions={['openAsText']} />
    );
  }
}
