import { type KeyboardEvent, type PointerEvent, useCallback, useMemo, useRef, useState } from 'react';
import { formatMoney } from '../../../src/core/base/format';
import { at, clamp } from '../../../src/core/base/numbers';
import { type TimelineScene, drawTimeline, drawTimelineFrame } from '../../../src/core/drawing/drawTimeline';
import { sensitivityWords, timelineMarkWords } from '../../../src/core/drawing/drawingWords';
import {
  layoutTimeline,
  leftOfSlot,
  slotAt,
  slotsByColumn,
  timelineRows,
} from '../../../src/core/drawing/timelineLayout';
import { timelineMarks } from '../../../src/core/drawing/timelineMarks';
import { sensitivityLabels } from '../../../src/core/model/labels';
import { figureText } from '../../../src/core/tokens/qualityWords';
import { lowOutput } from '../../../src/core/view/requestOutput';
import { chapterAt } from '../../../src/core/view/timelineEvents';
import { useDrawing, useSize } from '../../drawing/canvasHooks';
import { usePalette } from '../../drawing/theme';
import { useFollowedPart } from '../../state/breakdown';
import { lossesByWorth, lossOf, predictedBySlot } from '../../state/cacheReport';
import { compactionAt } from '../../state/compaction';
import { costOf, requestView, requestsInView, timelineFigures } from '../../state/derived';
import { compactionLimit, eventsOf } from '../../state/firstSight';
import { useLitInsight } from '../../state/insights';
import {
  type RequestOfSession,
  selectRequest,
  useAppState,
  useInspector,
  useViewState,
} from '../../state/inspector';
import type { KeyOf } from '../../state/keyTable';
import { keyIn } from '../../state/keys';
import { cacheWords } from '../../words/cache';
import { timelineWords as words } from '../../words/timeline';
import { namesOf } from '../cache/BreakList';
import { Chapters } from '../page/Chapters';
import { Since } from './Since';
import { TimelineCaption } from './TimelineCaption';
import { TimelineTip } from './TimelineTip';

const inset = 16;
/** From this chart width on, questions have names above the chart. CSS pixels. */
const chaptersFrom = 1000;

/** The session over time: a column for each request, and a slider over them. */
export function Timeline({ session, request }: RequestOfSession) {
  const { columns, summary } = session;
  const inspector = useInspector();
  const palette = usePalette(inspector.theme);
  const requests = useAppState(state => requestsInView(columns, state.view));
  const figures = timelineFigures(columns, requests);
  const { chapters, sensitivity } = eventsOf(columns, requests);
  const isFolded = useViewState('isTimelineFolded');
  const slot = Math.max(0, requests.indexOf(request));
  const chapter = chapterAt(chapters, slot);
  const slider = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const overlay = useRef<HTMLCanvasElement>(null);
  const size = useSize(slider);
  const [hoveredSlot, setHovered] = useState<number>();
  const hasNames = chapters.length > 0 && size.width >= chaptersFrom && size.height >= 100;
  const cache = useAppState(state => state.cache);
  const part = useFollowedPart(session, requests);
  const scene = useMemo((): TimelineScene => {
    const layout = layoutTimeline(requests.length, inset, Math.max(1, size.width - 2 * inset));
    const losses = cache.kind === 'known' ? lossesByWorth(cache.value) : [];
    const breaks = losses.map(({ request: broken, read, readable, moneyLost }) => ({
      request: broken,
      word: words.lost(moneyLost),
      brief: moneyLost === undefined ? undefined : formatMoney(moneyLost),
      lost: { read, readable, money: moneyLost },
    }));
    return {
      layout,
      rows: timelineRows(size.height, hasNames),
      palette,
      content: {
        figures,
        slots: slotsByColumn(layout, figures.totals),
        predicted: cache.kind === 'known' ? predictedBySlot(cache.value, requests) : undefined,
        marks: timelineMarks(columns, summary, figures, breaks),
        chapters,
        sensitivity,
        costs: costOf(columns, summary).byRequest,
        compactsAt: compactionLimit(summary),
        part,
      },
    };
  }, [columns, summary, requests, figures, chapters, sensitivity, cache, palette, size, hasNames, part]);
  const { layout, rows } = scene;
  const insight = useLitInsight();
  const place = insight === undefined ? -1 : requests.indexOf(insight.request);
  const lit = place < 0 ? undefined : place;
  // The columns are drawn again only when they change. Selecting another request draws only the frame.
  const draw = useCallback((context: CanvasRenderingContext2D) => drawTimeline(context, scene), [scene]);
  useDrawing(canvas, size, draw);
  const drawFrame = useCallback(
    (context: CanvasRenderingContext2D) => drawTimelineFrame(context, scene, slot, hoveredSlot, lit),
    [scene, slot, hoveredSlot, lit],
  );
  useDrawing(overlay, size, drawFrame);

  const choose = (chosen: number): void => {
    selectRequest(inspector, columns, at(requests, clamp(chosen, 0, requests.length - 1)));
  };
  const slotOf = (event: PointerEvent): number => {
    const left = slider.current?.getBoundingClientRect().left ?? 0;
    return slotAt(layout, event.clientX - left);
  };
  /** The strip of chapters leads to the question that a request answers. */
  const pressed = (event: PointerEvent): number => {
    const chosen = slotOf(event);
    const top = slider.current?.getBoundingClientRect().top ?? 0;
    const isStrip = rows.chapters !== undefined && event.clientY - top >= rows.chapters - 2;
    return isStrip ? (chapters[chapterAt(chapters, chosen)]?.slot ?? chosen) : chosen;
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const page = Math.max(5, Math.round(requests.length / 10));
    const isAtQuestion = chapters[chapter]?.slot === slot;
    const targets: Readonly<Record<KeyOf<'timeline'>, number>> = {
      earlier: slot - 1,
      later: slot + 1,
      muchEarlier: slot - page,
      muchLater: slot + page,
      previousQuestion: chapters[isAtQuestion ? chapter - 1 : chapter]?.slot ?? 0,
      nextQuestion: chapters[chapter + 1]?.slot ?? requests.length - 1,
      earliest: 0,
      latest: requests.length - 1,
    };
    const name = keyIn('timeline', event);
    const target = name === undefined ? undefined : targets[name];
    if (target !== undefined) {
      event.preventDefault();
      choose(target);
    }
  };
  const current = requestView(columns, request);
  const finding = lossOf(cache, request);
  const compacted = compactionAt(columns, summary, request);
  const output = lowOutput(columns, request);
  const label = sensitivityLabels[at(sensitivity, slot)] ?? 'public';
  const spoken = [
    words.caption(slot, requests.length),
    figureText(current.total),
    ...(current.recorded === undefined ? [] : [words.cacheReadOf(current.recorded.tokens)]),
    ...(output === undefined ? [] : [words.output(output.recorded, output.estimate)]),
    ...(compacted === undefined ? [] : [timelineMarkWords.marks[compacted.kind]]),
    ...(finding === undefined ? [] : [cacheWords.lostHere(namesOf(finding), finding.tokensLost)]),
    ...(label === 'public' ? [] : [words.cameIn(sensitivityWords[label])]),
  ];
  const hovered = hoveredSlot === undefined ? undefined : at(requests, hoveredSlot);
  return (
    <section className={`timeline ruled${isFolded ? ' timeline--folded' : ''}`} aria-label={words.section}>
      <TimelineCaption
        session={session}
        request={request}
        slot={slot}
        count={requests.length}
        choose={choose}
      />
      <Since columns={columns} request={request} previous={slot === 0 ? undefined : at(requests, slot - 1)} />
      <div className="timeline__chart">
        {hasNames && (
          <Chapters columns={columns} layout={layout} chapters={chapters} current={chapter} choose={choose} />
        )}
        <div
          ref={slider}
          id="timeline-chart"
          className="timeline__slider"
          role="slider"
          tabIndex={0}
          aria-label={words.label}
          aria-orientation="horizontal"
          aria-valuemin={1}
          aria-valuemax={requests.length}
          aria-valuenow={slot + 1}
          aria-valuetext={spoken.join(', ')}
          onKeyDown={onKeyDown}
          onPointerDown={event => {
            event.currentTarget.setPointerCapture(event.pointerId);
            choose(pressed(event));
          }}
          onPointerMove={event => {
            setHovered(slotOf(event));
            if (event.currentTarget.hasPointerCapture(event.pointerId)) {
              choose(slotOf(event));
            }
          }}
          onPointerLeave={() => setHovered(undefined)}
        >
          <canvas ref={canvas} className="timeline__canvas" aria-hidden="true" />
          <canvas ref={overlay} className="timeline__canvas timeline__canvas--frame" aria-hidden="true" />
          {hovered !== undefined && hoveredSlot !== undefined && (
            <TimelineTip
              columns={columns}
              request={hovered}
              slot={hoveredSlot}
              total={at(figures.totals, hoveredSlot)}
              finding={lossOf(cache, hovered)}
              left={leftOfSlot(layout, hoveredSlot) + layout.pitch / 2}
              width={size.width}
            />
          )}
        </div>
      </div>
    </section>
  );
}
