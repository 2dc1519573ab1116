import { memo, useMemo } from 'react';
import { useHighlighting } from '../../state/highlighting';
import { languageOf } from '../../state/highlightingContract';
import { Words } from './Words';

/** Code in its colours, once they are loaded. `numbers`: those of its lines; 0 for a line without one. */
export const Code = memo(function Code({
  text,
  language,
  numbers,
}: {
  readonly text: string;
  /** A language, or the name of a file. */
  readonly language: string;
  readonly numbers?: ArrayLike<number>;
}) {
  const known = languageOf(language);
  const highlight = useHighlighting(known !== undefined);
  const lines = useMemo(
    () =>
      (known === undefined ? undefined : highlight?.(known, text)) ??
      text.split('\n').map(line => [{ text: line, kind: '' }]),
    [known, highlight, text],
  );
  return (
    <div className={`code-lines${numbers === undefined ? '' : ' code-lines--numbered'}`}>
      {lines.map((line, index) => (
        <div key={index} className="code-line" data-number={numberOf(numbers, index)}>
          {line.map((run, place) =>
            run.kind === '' ? (
              <Words key={place} text={run.text} />
            ) : (
              <span key={place} className={`code-${run.kind}`}>
                <Words text={run.text} />
              </span>
            ),
          )}
          {'\n'}
        </div>
      ))}
    </div>
  );
});

function numberOf(numbers: ArrayLike<number> | undefined, index: number): number | undefined {
  const number = numbers?.[index];
  return number === 0 ? undefined : number;
}
