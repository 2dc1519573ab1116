import type { AgentSizes } from './tables';

declare const table: AgentSizes;
export default table;
