import { defined } from '../base/defined';
import { entryOf } from '../base/entryOf';
import { longestCommon } from '../base/longestCommon';
import { kindOf } from '../model/blockWords';
import { hashDigits } from '../model/contentHash';
import { loadTokenizer } from '../tokens/bytePairTokenizer';
import type { TokenFigure } from '../tokens/quality';
import type { LineRun, PromptComparison } from './comparison';
import type { Side } from './side';

interface Prompt {
  readonly side: Side;
  readonly blocks: readonly number[];
  readonly figure: TokenFigure;
  readonly form: string;
}

/** The differences between the system prompts of two requests, line by line. Everything sensitive is masked. */
export async function comparePrompts(sides: readonly [Side, Side]): Promise<PromptComparison> {
  const [first, second] = [promptOf(sides[0]), promptOf(sides[1])];
  const isRecorded = ({ side, blocks }: Prompt): boolean => blocks.length > 0 || side.isComplete;
  const common = {
    recorded: [isRecorded(first), isRecorded(second)],
    tokens: [first.figure, second.figure],
    places: [
      first.side.placeOf(first.blocks[0] ?? -1) ?? null,
      second.side.placeOf(second.blocks[0] ?? -1) ?? null,
    ],
  } satisfies Partial<PromptComparison>;
  if (!common.recorded.every(Boolean)) {
    return { ...common, kind: 'notRecorded', runs: [] };
  }
  if (first.form === second.form) {
    return { ...common, kind: 'equal', runs: [] };
  }
  const runs = runsOf(await readLines(first), await readLines(second));
  return runs.every(({ kind }) => kind === 'same')
    ? { ...common, kind: 'masked', runs: [] }
    : { ...common, kind: 'different', runs };
}

function promptOf(side: Side): Prompt {
  const { blocks: rows } = side.columns;
  const { view } = side;
  const { shownBlocks } = side;
  const places = [...shownBlocks.keys()].filter(
    place => kindOf(rows, shownBlocks[place] ?? 0) === 'systemPrompt',
  );
  const blocks = places.map(place => shownBlocks[place] ?? 0);
  const tokens = places.reduce((sum, place) => sum + (view?.tokens[place] ?? 0), 0);
  return {
    side,
    blocks,
    figure: { ...side.figureOf(blocks, tokens), value: tokens },
    form: blocks.map(block => hashDigits(rows.hashHigh[block], rows.hashLow[block])).join(' '),
  };
}

interface Lines {
  readonly lines: readonly string[];
  /** Tokens of a text of the prompt, in the figure of the whole. */
  readonly figureOf: (text: string) => TokenFigure;
}

async function readLines({ side: { session }, blocks, figure }: Prompt): Promise<Lines> {
  const texts: string[] = [];
  for (const block of blocks) {
    texts.push(await session.wholeText(block, false));
  }
  const text = texts.join('\n');
  const tokenizer = await loadTokenizer(session.encoding);
  const whole = Math.max(1, tokenizer.count(text));
  const { quality, error } = figure;
  return {
    lines: text.split('\n'),
    figureOf: part => ({
      value: Math.round((figure.value * tokenizer.count(part)) / whole),
      quality,
      ...defined({ error }),
    }),
  };
}

function runsOf(first: Lines, second: Lines): readonly LineRun[] {
  const numbers = new Map<string, number>();
  const numbered = ({ lines }: Lines): number[] =>
    lines.map(line => entryOf(numbers, line, () => numbers.size + 1));
  const [left, right] = [numbered(first), numbered(second)];
  const runs: LineRun[] = [];
  const add = (kind: LineRun['kind'], { lines, figureOf }: Lines, from: number, to: number): void => {
    if (from < to) {
      const shown = lines.slice(from, to);
      const tokens = figureOf(shown.join('\n'));
      runs.push({ kind, count: to - from, lines: kind === 'same' ? [] : shown, tokens });
    }
  };
  let [one, other, from] = [0, 0, 0];
  for (const [nextOne, nextOther] of [...longestCommon(left, right), [left.length, right.length] as const]) {
    if (nextOne > one || nextOther > other) {
      add('same', first, from, one);
      add('onlyFirst', first, one, nextOne);
      add('onlySecond', second, other, nextOther);
      from = nextOne;
    }
    one = nextOne + 1;
    other = nextOther + 1;
  }
  add('same', first, from, left.length);
  return runs;
}
