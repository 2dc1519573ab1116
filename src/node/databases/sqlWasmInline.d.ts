/** The build of sql.js with the WebAssembly inside the script, so that it can be bundled without a separate file. */
declare module 'sql.js/dist/sql-wasm-inline.js' {
  import initSqlJs from 'sql.js';
  export default initSqlJs;
}
