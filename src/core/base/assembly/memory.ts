// AssemblyScript, for the modules in the `assembly` folders of all areas.

/** Grows the memory up to this address. */
export function growTo(end: usize): void {
  const missing = <i32>((end + 0xffff) >>> 16) - memory.size();
  if (missing > 0 && memory.grow(missing) < 0) {
    unreachable();
  }
}
