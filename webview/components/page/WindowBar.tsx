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

/** Minimum share of the bar for the used parts. If they have less, the free part is shortened. */
const leastShown = 0.4;
/**
 * Pixels that a part needs for its icon and its share, the margin around its text, and the margin for the free part.
 */
const widths = { icon: 24, share: 36, margin: 12, left: 16 } as const;

const plain = { ground: '', text: '', edge: '', stroke: undefined } as const;

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
  const whole = Math.max(view.window ?? limit ?? 0, view.total.value, 1);
  const end = Math.max(limit ?? view.window ?? 0, view.total.value);
  const left = end - view.total.value;
  const filled = view.total.value / whole;
  const shown = Math.max(filled, leastShown);
  const isBroken = shown > filled;
  const parts = sourceOrder(timelineFigures(columns, requests)).flatMap(index => {
    const source = sources[index];
    const count = at(figures, index);
    return source === undefined || count <= 0
      ? []
      : [{ source, index, count, share: (count / view.total.value) * shown }];
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
  const leftShare = isBroken ? 1 - shown : left / whole;
  const leftWords = [...(limit === undefined ? [] : [words.leftToCompaction(left)]), words.left(left)];
  const leftText = leftWords.find(text => fitter.width(text) <= leftShare * width - widths.left);
  const pressable = parts.findIndex(({ source }) => source === filter.source);
  return (
    <div className="window">
      <div
        ref={bar}
        className="window__bar framed"
        role="toolbar"
        aria-label={description}
        onKeyDown={moveFocus}
      >
        <div className="window__parts" style={{ width: `${shown * 100}%` }}>
          {parts.map(({ source, index, count, share }, place) => {
            const { ground, text, edge, stroke } = palette.fills.source[index] ?? plain;
            const name = sourceWords[source];
            const pixels = share * width - widths.margin;
            const nameWidth = widths.icon + fitter.width(name);
            const hint = words.part(name, formatShare(count / view.total.value), tokens(count));
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
                  width: `${(share / shown) * 100}%`,
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
                  <span className="window__share tabular">{formatShare(count / view.total.value)}</span>
                )}
              </button>
            );
          })}
        </div>
        {view.window !== undefined && (
          <span
            className={`window__left rigid small unbroken muted tabular${isBroken ? ' window__left--broken' : ''}`}
            title={[leftWords[0], ...(limit === undefined ? [] : [words.limitHint])].join('. ')}
            style={{ width: `${leftShare * 100}%` }}
          >
            {leftText}
          </span>
        )}
        {limit !== undefined && limit < whole && !isBroken && (
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
