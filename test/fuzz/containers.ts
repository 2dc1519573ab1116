import { unzipSync } from 'fflate';
import { zstdDecompressSync } from 'node:zlib';
import type { Database } from 'sql.js';
import initSqlJs from 'sql.js/dist/sql-wasm-inline.js';
import type { Random } from '../generator/random';
import { packZip } from '../fixtures/zipArchive';

/** A packed kind of file whose content is mutated inside. */
export interface Container {
  readonly name: string;
  /** The first bytes of such a file. */
  readonly magic: readonly number[];
  /**
   * Unpacks, changes one part with `change`, and packs again. Throws or rejects if the file cannot be unpacked or
   * packed.
   */
  readonly changeInside: (
    bytes: Uint8Array,
    random: Random,
    change: (inner: Uint8Array) => Uint8Array,
  ) => Uint8Array | Promise<Uint8Array>;
}

/** A new kind of packed file is one entry here. */
export const containers: readonly Container[] = [
  {
    name: 'zip',
    magic: [0x50, 0x4b, 0x03, 0x04],
    changeInside: (bytes, random, change) => {
      const entries = Object.entries(unzipSync(bytes));
      const chosen = random.below(entries.length);
      const changed = entries.map(([name, inner], index): [string, Uint8Array] => [
        name,
        index === chosen ? change(inner) : inner,
      ]);
      return packZip(Object.fromEntries(changed), random.chance(0.5) ? 0 : 6);
    },
  },
  {
    name: 'zstd',
    magic: [0x28, 0xb5, 0x2f, 0xfd],
    changeInside: (bytes, _random, change) => packZstd(change(zstdDecompressSync(bytes))),
  },
  {
    name: 'sqlite',
    magic: [...Buffer.from('SQLite format 3\0')],
    changeInside: async (bytes, random, change) => {
      const database = new (await initSqlJs()).Database(bytes);
      try {
        changeDatabase(database, random, change);
        return database.export();
      } finally {
        database.close();
      }
    },
  },
];

export function containerOf(bytes: Uint8Array): Container | undefined {
  return containers.find(({ magic }) => magic.every((byte, index) => bytes[index] === byte));
}

const largestBlock = 1 << 17;

/** A Zstandard frame of uncompressed blocks (RFC 8878, 3.1.1). */
export function packZstd(bytes: Uint8Array): Uint8Array {
  const size = Buffer.alloc(4);
  size.writeUInt32LE(bytes.length);
  const parts: Uint8Array[] = [Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0xa0]), size];
  for (let from = 0; from === 0 || from < bytes.length; from += largestBlock) {
    const block = bytes.subarray(from, from + largestBlock);
    const last = from + largestBlock >= bytes.length ? 1 : 0;
    const header = Buffer.alloc(3);
    header.writeUIntLE((block.length << 3) | last, 0, 3);
    parts.push(header, block);
  }
  return new Uint8Array(Buffer.concat(parts));
}

function changeDatabase(database: Database, random: Random, change: (inner: Uint8Array) => Uint8Array): void {
  const names = (statement: string): readonly string[] =>
    (database.exec(statement)[0]?.values ?? []).map(([name]) => String(name));
  const tables = names("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'");
  const table = quoted(tables[random.below(tables.length)] ?? '');
  const columns = names(`SELECT name FROM pragma_table_info('${table.slice(1, -1)}')`);
  const column = quoted(columns[random.below(columns.length)] ?? '');
  const rows = names(`SELECT rowid FROM ${table}`);
  const row = rows[random.below(rows.length)] ?? '0';
  const one = `WHERE rowid = ${row}`;
  const oddities = [
    `UPDATE ${table} SET ${column} = NULL ${one}`,
    `UPDATE ${table} SET ${column} = -1`,
    `UPDATE ${table} SET ${column} = 9e999 ${one}`,
    `UPDATE ${table} SET ${column} = zeroblob(100) ${one}`,
    `DELETE FROM ${table} ${one}`,
    `INSERT INTO ${table} SELECT * FROM ${table}`,
    `ALTER TABLE ${table} RENAME COLUMN ${column} TO "renamed"`,
    `ALTER TABLE ${table} RENAME TO "renamed"`,
    `DROP TABLE ${table}`,
  ];
  if (random.chance(0.3)) {
    database.run(oddities[random.below(oddities.length)] ?? '');
    return;
  }
  const [[value] = []] = database.exec(`SELECT ${column} FROM ${table} ${one}`)[0]?.values ?? [];
  if (typeof value === 'string') {
    const changed = new TextDecoder().decode(change(new TextEncoder().encode(value)));
    database.run(`UPDATE ${table} SET ${column} = ? ${one}`, [changed]);
  }
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
