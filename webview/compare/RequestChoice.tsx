import { comparedFigure } from '../../src/core/compare/compareWords';
import type { ComparedSide, Comparison } from '../../src/core/compare/comparison';
import { requestNumber } from '../../src/core/view/requestNames';
import { Dropdown } from '../controls/Dropdown';
import { useSelected } from '../state/store';
import { compareWords as words } from '../words/compare';
import type { Compared, SideIndex } from './compareState';

const wholeSession = 'whole';

interface RequestChoiceProps {
  readonly side: SideIndex;
  readonly whole: Comparison;
  readonly compared: Compared;
}

/** Chooses the whole session or one request of its main conversation; the newest come first. */
export function RequestChoice({ side, whole, compared: { store, compare } }: RequestChoiceProps) {
  const chosen = useSelected(store, ({ view }) => view.chosen);
  const other: SideIndex = side === 0 ? 1 : 0;
  const last = ({ fills }: ComparedSide): number => fills.length - 1;
  if (whole.sides.some(each => last(each) < 0)) {
    return undefined;
  }
  return (
    <Dropdown
      name={words.comparedOf(side)}
      value={chosen === null ? wholeSession : String(chosen[side])}
      options={[
        { value: wholeSession, label: words.wholeSession },
        ...whole.sides[side].fills
          .map(({ tokens }, request) => ({
            value: String(request),
            label: words.requestOf(requestNumber(request), comparedFigure(tokens)),
          }))
          .toReversed(),
      ]}
      onChange={value => {
        if (value === wholeSession) {
          compare(null);
          return;
        }
        // A request is compared with a request: the last one, until the user chooses another.
        const request = Number(value);
        const beside = chosen?.[other] ?? last(whole.sides[other]);
        compare(side === 0 ? [request, beside] : [beside, request]);
      }}
    />
  );
}
