/** Compares two versions by their numbers. Words around them, as in `session format 3`, are ignored. */
export function compareVersions(first: string, second: string): number {
  const [one, other] = [first, second].map(version =>
    (/\d+(?:\.\d+)*/.exec(version)?.[0] ?? '').split('.').map(Number),
  );
  for (let index = 0; index < Math.max(one?.length ?? 0, other?.length ?? 0); index += 1) {
    const difference = (one?.[index] ?? 0) - (other?.[index] ?? 0);
    if (difference !== 0) {
      return difference;
    }
  }
  return 0;
}
