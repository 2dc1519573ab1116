import '../translations';
import { createRoot } from 'react-dom/client';
import type { FromComparePage } from '../../src/protocol/comparePage';
import { vscodeApi } from '../vscodeApi';
import './compare.css';
import { ComparePage } from './ComparePage';
import { createCompared } from './compareState';

const root = document.getElementById('root');
if (root !== null) {
  createRoot(root).render(<ComparePage compared={createCompared(vscodeApi<FromComparePage>())} />);
}
