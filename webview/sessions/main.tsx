import '../translations';
import { createRoot } from 'react-dom/client';
import './sessions.css';
import { createSessions } from './sessionsState';
import { SessionsPage } from './SessionsPage';

const root = document.getElementById('root');
if (root !== null) {
  createRoot(root).render(<SessionsPage sessions={createSessions(acquireVsCodeApi())} />);
}
