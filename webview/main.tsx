import './translations';
import { createRoot } from 'react-dom/client';
import { App } from './components/page/App';
import { ErrorBoundary } from './components/common/ErrorBoundary';
import { createInspector } from './state/createInspector';
import { InspectorProvider } from './state/inspector';
import './styles/index.css';

const root = document.getElementById('root');
if (root !== null) {
  const inspector = createInspector(acquireVsCodeApi());
  const showReady = (isReady: boolean): void => {
    root.dataset['ready'] = String(isReady);
  };
  createRoot(root).render(
    <InspectorProvider value={inspector}>
      <ErrorBoundary>
        <App onReady={showReady} />
      </ErrorBoundary>
    </InspectorProvider>,
  );
}
