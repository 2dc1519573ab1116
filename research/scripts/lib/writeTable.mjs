// Writes a table of measured figures where the program reads it. A line is a row, so that a changed row is a changed line.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../../scripts/lib/packages.mjs';

/** @param name one of src/core/tokens/measured, whose schema is in tables.ts there */
export function writeTable(name, rows) {
  const path = join(root, 'src/core/tokens/measured', `${name}.json`);
  writeFileSync(path, `[\n${rows.map(row => JSON.stringify(row)).join(',\n')}\n]\n`);
  console.log(path);
}
