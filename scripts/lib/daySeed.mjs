/** The seed of a deep run, which is another one each day. */
export function daySeed() {
  return new Date().toISOString().slice(0, 10).replaceAll('-', '');
}
