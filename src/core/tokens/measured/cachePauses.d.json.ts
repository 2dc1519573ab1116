import type { CachePauses } from './tables';

declare const table: CachePauses;
export default table;
