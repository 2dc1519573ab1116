import { visibleText } from '../../src/core/base/visibleText';
import { comparedFigure, promptSentence } from '../../src/core/compare/compareWords';
import type { Comparison, LineRun } from '../../src/core/compare/comparison';
import { compareWords as words, sideNames } from '../words/compare';
import type { OpenPlace } from './compareState';
import { OpenFigure } from './OpenFigure';

interface PromptProps {
  readonly comparison: Comparison;
  readonly open: OpenPlace;
}

/** The differences between the system prompts, line by line. */
export function Prompt({ comparison, open }: PromptProps) {
  const { runs, tokens, places } = comparison.prompt;
  return (
    <section className="stack gap-4" aria-labelledby="prompt">
      <h2 id="prompt">{words.prompt}</h2>
      <p className="small muted">{promptSentence(comparison)}</p>
      {places.some(place => place !== null) && (
        <p className="row wraps small tabular">
          {([0, 1] as const).map(side => (
            <span key={side}>
              {sideNames[side]}{' '}
              <OpenFigure
                side={side}
                name={words.prompt}
                text={comparedFigure(tokens[side])}
                place={places[side]}
                open={open}
              />
            </span>
          ))}
        </p>
      )}
      {runs.length > 0 && (
        // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reached with the keyboard
        <div className="text-box" role="group" aria-labelledby="prompt" tabIndex={0}>
          {runs.map((run, index) => (
            <Run key={index} run={run} />
          ))}
        </div>
      )}
    </section>
  );
}

const marks = { onlyFirst: 'A', onlySecond: 'B' } as const;

function Run({ run: { kind, count, lines } }: { readonly run: LineRun }) {
  if (kind === 'same') {
    return <div className="muted">{words.equalLines(count)}</div>;
  }
  return lines.map((line, index) => (
    <div key={index} className={`compare__line compare__line--${marks[kind]}`}>
      <span className="compare__mark">{marks[kind]}</span>
      <span>{visibleText(line)}</span>
    </div>
  ));
}
