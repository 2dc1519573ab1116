import { useMemo, useRef } from 'react';
import { tokens } from '../../../src/core/base/countWords';
import { formatNumber, formatShare } from '../../../src/core/base/format';
import { at } from '../../../src/core/base/numbers';
import { partitionWords, sourceTexts, sourceWords } from '../../../src/core/drawing/drawingWords';
import { sourceIcons } from '../../../src/core/drawing/icons';
import { partitionNames } from '../../../src/core/model/labels';
import { type Source, sources } from '../../../src/core/model/source';
import { figureText } from '../../../src/core/tokens/qualityWords';
import { jumpSentence, notRecordedParts, ownWords } from '../../../src/core/view/notRecordedParts';
import type { RequestView } from '../../../src/core/view/requestView';
import { requestSources } from '../../../src/core/view/sourceSums';
import { moveFocus } from '../../controls/moveFocus';
import { useSize } from '../../drawing/canvasHooks';
import { textFitterFor } from '../../drawing/textFitter';
import { usePalette } from '../../drawing/theme';
import { requestsInView, timelineFigures } from '../../state/derived';
import { compactionLimit, sourceOrder } from '../../state/firstSight';
import { type SessionInView, useAppState, useInspector, useViewState } from '../../state/inspector';
import { notRecordedBlock } from '../../state/viewState';
import { headerWords as words } from '../../words/header';
import { Icon } from '../common/Icon';
import { Swatch } from '../common/Swatch';

/**
 * Pixels that a part needs for its icon and its share, the margin around its text, the margin for the free part, a name
 * in the free part beside its text, and the least of a part.
 */
const widths = { icon: 24, share: 36, margin: 12, left: 16, key: 26, least: 2 } as const;
/** How much of the bar the largest request fills if nobody knows the window. */
const fillOfLargest = 0.8;

const plain = { ground: '', text: '', edge: '', stroke: undefined } as const;

/** The parts whose names fit into a width beside each other. Earlier ones have priority. */
function keysThatFit<Part>(
  parts: readonly Part[],
  room: number,
  textWidth: (part: Part) => number,
): readonly Part[] {
  let free = room;
  return parts.filter(part => {
    const needed = textWidth(part) + widths.key;
    const fits = needed <= free;
    free -= fits ? needed : 0;
    return fits;
  });
}

/**
 * The fill of the context window by source: a bar that is its own legend. A part highlights the blocks of its source.
 */
export function WindowBar({
  session: { columns, summary },
  view,
}: {
  readonly session: SessionInView;
  readonly view: RequestView;
}) {
  const inspector = useInspector();
  const palette = usePalette(inspector.theme);
  const filter = useViewState('filter');
  const requests = useAppState(state => requestsInView(columns, state.view));
  const bar = useRef<HTMLDivElement>(null);
  const { width } = useSize(bar);
  const fitter = useMemo(() => textFitterFor(`12px ${palette.fontFamily}`), [palette]);
  const figures = requestSources(columns, view);
  const hidden = useMemo(() => notRecordedParts(columns, summary, view), [columns, summary, view]);
  const finding = jumpSentence(hidden);
  const findings = finding === undefined ? [] : [finding];
  const limit = compactionLimit(summary);
  const isKnown = view.window !== undefined || limit !== undefined;
  const timeline = timelineFigures(columns, requests);
  const whole = isKnown
    ? Math.max(view.window ?? limit ?? 0, view.total.value, 1)
    : timeline.totals.reduce((most, total) => Math.max(most, total), 1) / fillOfLargest;
  const end = isKnown ? Math.max(limit ?? view.window ?? 0, view.total.value) : whole;
  const left = end - view.total.value;
  const filled = view.total.value / whole;
  const parts = sourceOrder(timeline).flatMap(index => {
    const source = sources[index];
    const count = at(figures, index);
    return source === undefined || count <= 0
      ? []
      : [{ source, index, count, pixels: (count / whole) * width - widths.margin }];
  });
  const press = (source: Source): void => {
    if (source === 'notRecorded') {
      inspector.changeView({ block: notRecordedBlock, panel: 'block' });
      return;
    }
    const { source: chosen, ...rest } = filter;
    inspector.changeView({ filter: chosen === source ? rest : { ...rest, source } });
  };
  const description = [
    figureText(view.total),
    ...findings,
    ...parts.map(({ source, count }) => `${sourceWords[source]} ${formatNumber(count)}`),
    ...partitionNames.map(name => `${partitionWords[name]} ${formatNumber(view.partitions[name])}`),
  ].join(', ');
  const leftWords = isKnown
    ? [...(limit === undefined ? [] : [words.leftToCompaction(left)]), words.left(left)]
    : [words.windowUnknown];
  const freeWidth = (left / whole) * width - widths.left;
  const leftText = leftWords.find(text => fitter.width(text) <= freeWidth);
  const keys = keysThatFit(
    parts
      .filter(({ source, pixels }) => pixels < widths.icon + fitter.width(sourceWords[source]))
      .toSorted((first, second) => second.count - first.count),
    freeWidth - (leftText === undefined ? 0 : fitter.width(leftText) + widths.left),
    ({ source, count }) => fitter.width(`${sourceWords[source]} ${formatShare(count / view.total.value)}`),
  );
  const pressable = parts.findIndex(({ source }) => source === filter.source);
  return (
    <div className="window">
      <div
        ref={bar}
        className={`window__bar framed${isKnown ? '' : ' window__bar--open'}`}
        role="toolbar"
        aria-label={description}
        onKeyDown={moveFocus}
      >
        <div
          className="window__parts"
          style={{ width: `${filled * 100}%`, minWidth: parts.length * widths.least }}
        >
          {parts.map(({ source, index, count, pixels }, place) => {
            const { ground, text, edge, stroke } = palette.fills.source[index] ?? plain;
            const name = sourceWords[source];
            const nameWidth = widths.icon + fitter.width(name);
            const share = formatShare(count / view.total.value);
            const hint = words.part(name, share, tokens(count));
            const more = source === 'notRecorded' ? [...ownWords(hidden), ...findings] : [];
            return (
              <button
                key={source}
                type="button"
                className={`window__part bare row gap-4 small unbroken window__part--${source === 'notRecorded' ? 'unknown' : 'known'}`}
                tabIndex={place === Math.max(0, pressable) ? 0 : -1}
                aria-pressed={source === 'notRecorded' ? undefined : filter.source === source}
                aria-label={hint}
                title={[`${hint}. ${sourceTexts[source]}`, ...more].join('\n')}
                style={{
                  width: `${(count / view.total.value) * 100}%`,
                  background: source === 'notRecorded' ? undefined : ground,
                  color: source === 'notRecorded' ? undefined : text,
                  borderColor: source === 'notRecorded' ? undefined : edge,
                  boxShadow: stroke === undefined ? undefined : `inset 0 -3px ${stroke}`,
                }}
                onClick={() => press(source)}
              >
                {pixels + widths.margin >= widths.icon && <Icon icon={sourceIcons[source]} size={13} />}
                {pixels >= nameWidth && <span className="window__name">{name}</span>}{' '}
                {(pixels >= nameWidth + widths.share ||
                  (pixels < nameWidth && pixels >= widths.icon + widths.share)) && (
                  <span className="window__share tabular">{share}</span>
                )}
              </button>
            );
          })}
        </div>
        {/* The names of parts that are too narrow for theirs. A part says the same to a screen reader. */}
        {keys.map(({ source, index, count }) => (
          <span
            key={source}
            className="window__key rigid small unbroken tabular"
            aria-hidden="true"
            onClick={() => press(source)}
          >
            <Swatch
              label={`${sourceWords[source]} ${formatShare(count / view.total.value)}`}
              kind={source === 'notRecorded' ? 'dashed' : 'fill'}
              colour={(palette.fills.source[index] ?? plain).ground}
              stroke={(palette.fills.source[index] ?? plain).stroke}
            />
          </span>
        ))}
        {leftText !== undefined && (
          <span
            className="window__left small unbroken muted tabular"
            title={
              isKnown
                ? [leftWords[0], ...(limit === undefined ? [] : [words.limitHint])].join('. ')
                : undefined
            }
            style={{ marginRight: `${(1 - end / whole) * 100}%` }}
          >
            {leftText}
          </span>
        )}
        {end < whole && (
          <span className="window__reserve" style={{ left: `${(end / whole) * 100}%` }} aria-hidden="true" />
        )}
      </div>
      {finding !== undefined && (
        <p className="window__finding fine" data-testid="jump-note">
          {finding}
        </p>
      )}
    </div>
  );
}
