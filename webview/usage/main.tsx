import '../translations';
import { createRoot } from 'react-dom/client';
import './usage.css';
import { UsagePage } from './UsagePage';
import { createUsage } from './usageState';

const root = document.getElementById('root');
if (root !== null) {
  createRoot(root).render(<UsagePage usage={createUsage(acquireVsCodeApi())} />);
}
