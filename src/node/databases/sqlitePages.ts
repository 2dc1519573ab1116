/** Offset of the first page's own header: the file's header comes before it (SQLite, "Database File Format"). */
const fileHeader = 100;
const interiorTable = 5;

/**
 * True if the tree of the schema names every page only once. SQLite walks this tree as soon as it opens a file. If
 * branches share pages, the tree has practically endless rows.
 */
export function isTreeSound(file: Uint8Array): boolean {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const recorded = file.length < fileHeader ? 0 : view.getUint16(16);
  const pageSize = recorded === 1 ? 1 << 16 : recorded;
  if (pageSize < 512 || (pageSize & (pageSize - 1)) !== 0) {
    return false;
  }
  const seen = new Set([1]);
  for (const page of seen) {
    const start = (page - 1) * pageSize;
    const header = page === 1 ? fileHeader : start;
    if (header + 12 > file.length || view.getUint8(header) !== interiorTable) {
      continue;
    }
    const cells = view.getUint16(header + 3);
    if (header + 12 + 2 * cells > start + pageSize) {
      return false;
    }
    for (let cell = 0; cell <= cells; cell += 1) {
      const pointer = header + 12 + 2 * cell;
      const at =
        cell === cells
          ? header + 8
          : pointer + 2 > file.length
            ? file.length
            : start + view.getUint16(pointer);
      const child = at + 4 > file.length ? 0 : view.getUint32(at);
      if (child === 0 || seen.has(child)) {
        return false;
      }
      seen.add(child);
    }
  }
  return true;
}
