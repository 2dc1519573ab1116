import '../translations';
import { createRoot } from 'react-dom/client';
import './compare.css';
import { ComparePage } from './ComparePage';
import { createCompared } from './compareState';

const root = document.getElementById('root');
if (root !== null) {
  createRoot(root).render(<ComparePage compared={createCompared(acquireVsCodeApi())} />);
}
