import type { GrowthTable } from './tables';

declare const table: GrowthTable;
export default table;
