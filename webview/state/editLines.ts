import { diffLines } from 'diff';
import { parsedArguments } from '../../src/core/content/knownCalls';
import { editsOfCall } from '../../src/core/sight/editTools';
import type { EditPart, FileEdit } from '../../src/core/sight/patchText';

/** A line of a change; `sign` is empty for a line that stays. */
export interface DiffLine {
  readonly sign: '' | '+' | '−';
  readonly text: string;
}

/** Texts with more changes have too little in common. */
const mostChanges = 400;

/** The lines that an edit changes, in order. */
export function diffOf(parts: readonly EditPart[]): readonly DiffLine[] {
  return parts.flatMap(part => {
    switch (part.kind) {
      case 'text':
        return changed(part.old, part.text);
      case 'whole':
      case 'new':
        return signed(part.text ?? '', '+');
      case 'unsaid':
        return [];
    }
  });
}

/** The edits of a call, from the text of its input; empty if it is none, or if its input does not say the change. */
export function editsIn(tool: string, input: string): readonly FileEdit[] {
  return editsOfCall(tool, parsedArguments(input)).filter(({ parts }) => diffOf(parts).length > 0);
}

function changed(old: string, text: string): readonly DiffLine[] {
  const changes = diffLines(ended(old), ended(text), { maxEditLength: mostChanges });
  return changes === undefined
    ? [...signed(old, '−'), ...signed(text, '+')]
    : changes.flatMap(({ value, added, removed }) => signed(value, added ? '+' : removed ? '−' : ''));
}

/** A last line without an end would differ from the same line in the middle. */
const ended = (text: string): string => (text === '' || text.endsWith('\n') ? text : `${text}\n`);

const signed = (text: string, sign: DiffLine['sign']): readonly DiffLine[] =>
  text === ''
    ? []
    : text
        .replace(/\n$/, '')
        .split('\n')
        .map(line => ({ sign, text: line }));
