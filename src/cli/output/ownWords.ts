/** Prints the program's own words, which hold nothing foreign, so that no rules have to be made ready for them. */
export function printHelp(text: string): void {
  process.stdout.write(text);
}

/** The same on the standard error, for what went wrong before anything could be loaded. */
export function printFault(text: string): void {
  process.stderr.write(text);
}
