import { labelOfText } from '../../content/blockLabels';
import { joinTexts } from '../../content/place';
import type { NewBlock } from '../../content/transcriptBuilder';

/**
 * Separates thoughts from a reply. Gemini CLI does not send them back: they are in the reply, but in no later context.
 */
export function splitThoughts(blocks: readonly NewBlock[]): {
  readonly thoughts: readonly NewBlock[];
  readonly said: readonly NewBlock[];
} {
  return {
    thoughts: blocks.filter(({ kind }) => kind === 'thinking'),
    said: blocks.filter(({ kind }) => kind !== 'thinking'),
  };
}

/** The blocks of a reply that arrived in pieces. Consecutive texts of one kind become one text. */
export function joinPieces(blocks: readonly NewBlock[]): NewBlock[] {
  const runs: NewBlock[][] = [];
  for (const block of blocks) {
    const run = runs.at(-1);
    const isText = block.kind === 'assistant' || block.kind === 'thinking';
    if (run !== undefined && isText && run[0]?.kind === block.kind) {
      run.push(block);
    } else {
      runs.push([block]);
    }
  }
  return runs.flatMap(([first, ...rest]) => {
    if (first === undefined || rest.length === 0) {
      return first ?? [];
    }
    const found = joinTexts([first, ...rest]);
    return { ...first, ...found, label: labelOfText(found.content) };
  });
}
