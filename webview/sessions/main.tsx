import '../translations';
import { createRoot } from 'react-dom/client';
import type { FromSessionsPage } from '../../src/protocol/sessionsPage';
import { vscodeApi } from '../vscodeApi';
import './sessions.css';
import { createSessions } from './sessionsState';
import { SessionsPage } from './SessionsPage';

const root = document.getElementById('root');
if (root !== null) {
  createRoot(root).render(<SessionsPage sessions={createSessions(vscodeApi<FromSessionsPage>())} />);
}
