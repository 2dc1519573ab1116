import type { ComparedPlace } from '../../src/core/compare/comparison';
import { visibleLabel } from '../../src/core/base/visibleText';
import { Link } from '../controls/Link';
import { compareWords as words } from '../words/compare';
import type { OpenPlace, SideIndex } from './compareState';

interface OpenFigureProps {
  readonly side: SideIndex;
  /** Of what the text is. Foreign. */
  readonly name: string;
  readonly text: string;
  /** Where it stands; null where it stands nowhere. */
  readonly place: ComparedPlace | null | undefined;
  readonly open: OpenPlace;
}

/** A figure of one of the two that opens that session where what it counts stands. */
export function OpenFigure({ side, name, text, place, open }: OpenFigureProps) {
  return place === null || place === undefined ? (
    text
  ) : (
    <Link onPress={() => open(side, place)}>
      {text}
      <span className="visually-hidden">, {words.openIn(side, visibleLabel(name))}</span>
    </Link>
  );
}
