/** Prints the program's own text. It contains nothing foreign, so no rules need to be loaded. */
export function printHelp(text: string): void {
  process.stdout.write(text);
}

/** The same on the standard error, for errors before anything could be loaded. */
export function printFault(text: string): void {
  process.stderr.write(text);
}
