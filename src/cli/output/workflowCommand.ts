/** The place and the title of a message in GitHub's interface. */
export interface Annotation {
  readonly level: 'error' | 'warning' | 'notice';
  readonly file: string;
  /** From 1. */
  readonly line: number;
  readonly title: string;
}

/** A workflow command of GitHub Actions, like @actions/core 1.11 (command.ts), as a line. */
export function workflowCommand({ level, file, line, title }: Annotation, message: string): string {
  return `::${level} file=${escapeProperty(file)},line=${line},title=${escapeProperty(title)}::${escapeData(message)}\n`;
}

function escapeData(text: string): string {
  return text.replace(/%/g, '%25').replace(/\r/g, '%0D').replace(/\n/g, '%0A');
}

function escapeProperty(text: string): string {
  return escapeData(text).replace(/:/g, '%3A').replace(/,/g, '%2C');
}
