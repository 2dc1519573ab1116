import type { TotalErrorTable } from './tables';

declare const table: TotalErrorTable;
export default table;
