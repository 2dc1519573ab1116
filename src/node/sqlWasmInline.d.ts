/** The build of sql.js that holds its WebAssembly in the script, so that it bundles without a file beside it. */
declare module 'sql.js/dist/sql-wasm-inline.js' {
  import initSqlJs from 'sql.js';
  export default initSqlJs;
}
