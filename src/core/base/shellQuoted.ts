/** A word for a POSIX shell, whatever is in it. */
export const shellQuoted = (word: string): string => `'${word.replaceAll("'", "'\\''")}'`;
