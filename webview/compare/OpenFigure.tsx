import type { ComparedPlace } from '../../src/core/compare/comparison';
import { visibleLabel } from '../../src/core/base/visibleText';
import { Link } from '../controls/Link';
import { compareWords as words } from '../words/compare';
import type { OpenPlace, SideIndex } from './compareState';

interface OpenFigureProps {
  readonly side: SideIndex;
  /** The name of the thing that the figure belongs to. Foreign text. */
  readonly name: string;
  readonly text: string;
  /** The place of the thing; null if it has none. */
  readonly place: ComparedPlace | null | undefined;
  readonly open: OpenPlace;
}

/** A figure of one session. A press opens the session at the place of the counted content. */
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
