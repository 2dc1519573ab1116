import type { BlockText } from '../../../src/core/session/blockText';
import type { TextRange } from '../../state/textPieces';
import { textWords as words } from '../../words/details';

/** Minimum distance of marks, in thousandths of the text. Closer marks are merged. */
const step = 4;

/**
 * A strip next to a text that represents its whole height: the shown page, secret or private findings at the left, hits
 * at the right. A press goes to a place; steps and pages do the same by keyboard.
 */
export function TextMap({
  page,
  hits,
  onGo,
}: {
  readonly page: BlockText;
  readonly hits: readonly TextRange[];
  readonly onGo: (offset: number) => void;
}) {
  const length = Math.max(1, page.characters);
  const placeOf = (offset: number): number => Math.floor((offset / length) * (1000 / step)) * step;
  const marks = (ranges: readonly TextRange[]): readonly number[] => [
    ...new Set(ranges.map(({ start }) => placeOf(start))),
  ];
  const kinds = [
    {
      name: 'private',
      places: marks(page.findings.filter(({ label }) => label === 'private')),
      x: 0,
      width: 4,
    },
    {
      name: 'restricted',
      places: marks(page.findings.filter(({ label }) => label === 'restricted')),
      x: 0,
      width: 6,
    },
    { name: 'hit', places: marks(hits), x: 7, width: 5 },
  ];
  const top = (page.start / length) * 1000;
  return (
    <svg
      className="text-map"
      viewBox="0 0 12 1000"
      preserveAspectRatio="none"
      aria-hidden="true"
      data-testid="text-map"
      onPointerDown={event => {
        const { top: edge, height } = event.currentTarget.getBoundingClientRect();
        onGo(Math.floor(((event.clientY - edge) / Math.max(1, height)) * length));
      }}
    >
      <title>{words.mapHint}</title>
      {page.pages > 1 && (
        <rect
          className="text-map__page"
          x="0"
          width="12"
          y={top}
          height={Math.max(step, ((page.end - page.start) / length) * 1000)}
        />
      )}
      {kinds.flatMap(({ name, places, x, width }) =>
        places.map(place => (
          <rect
            key={`${name} ${place}`}
            className={`text-map__mark text-map__mark--${name}`}
            x={x}
            width={width}
            y={place}
            height={step * 2}
          />
        )),
      )}
    </svg>
  );
}
