import { visibleText } from '../../src/core/base/visibleText';
import { comparedFigure, differenceWords, notRecordedSentence } from '../../src/core/compare/compareWords';
import type { Difference, DifferenceKind, Differences as Found } from '../../src/core/compare/comparison';
import { ShowMore, useShown } from '../components/common/ShowMore';
import { compareWords as words, sideNames } from '../words/compare';
import type { OpenPlace } from './compareState';
import { OpenFigure } from './OpenFigure';

interface DifferencesProps {
  readonly kind: DifferenceKind;
  readonly found: Found;
  readonly open: OpenPlace;
}

/** The things that only one of the two has, or that both have in different forms. Absent if neither has such things. */
export function Differences({ kind, found: { rows, same, recorded }, open }: DifferencesProps) {
  const { shown, left, showMore } = useShown(rows, 20);
  const isRecorded = recorded[0] && recorded[1];
  if (isRecorded && rows.length === 0 && same === 0) {
    return undefined;
  }
  const id = `list-${kind}`;
  return (
    <section className="stack gap-4" aria-labelledby={id}>
      <h2 id={id}>{differenceWords[kind]}</h2>
      <p className="small muted">
        {isRecorded ? words.counts(same, rows.length) : notRecordedSentence(recorded)}
      </p>
      {isRecorded && rows.length > 0 && (
        <table className="figures figures--texts compare__list small tabular" aria-labelledby={id}>
          <thead>
            <tr>
              <th scope="col">{words.name}</th>
              <th scope="col">{words.difference}</th>
              {sideNames.map(name => (
                <th key={name} scope="col" className="numeric">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map(row => (
              <tr key={row.name}>
                <th scope="row" className="path">
                  {visibleText(row.name)}
                </th>
                <td>{kindOf(row)}</td>
                <td className="numeric">
                  <Figure row={row} side={0} open={open} />
                </td>
                <td className="numeric">
                  <Figure row={row} side={1} open={open} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {isRecorded && (
        <div>
          <ShowMore left={left} onPress={showMore} />
        </div>
      )}
    </section>
  );
}

function kindOf({ first, second }: Difference): string {
  return first === undefined ? words.onlyIn(1) : second === undefined ? words.onlyIn(0) : words.changed;
}

function Figure({
  row: { name, first, second },
  side,
  open,
}: {
  readonly row: Difference;
  readonly side: 0 | 1;
  readonly open: OpenPlace;
}) {
  const have = side === 0 ? first : second;
  return have === undefined ? (
    words.nothing
  ) : (
    <OpenFigure side={side} name={name} text={comparedFigure(have.tokens)} place={have.place} open={open} />
  );
}
