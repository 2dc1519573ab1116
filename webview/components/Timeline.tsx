import { type KeyboardEvent, type PointerEvent, useCallback, useMemo, useRef, useState } from 'react';
import { formatTime } from '../../src/core/base/format';
import { at, clamp } from '../../src/core/base/numbers';
import { visibleLabel } from '../../src/core/base/visibleText';
import { causeWords } from '../../src/core/cache/causeWords';
import { drawTimeline } from '../../src/core/drawing/drawTimeline';
import { partitionWords, timelineMarkWords } from '../../src/core/drawing/drawingWords';
import { layoutTimeline, leftOfSlot, slotAt, slotsByColumn } from '../../src/core/drawing/timelineLayout';
import { timelineMarks } from '../../src/core/drawing/timelineMarks';
import { partitionNames } from '../../src/core/model/labels';
import { figureText } from '../../src/core/tokens/qualityWords';
import { doubtfulOutput } from '../../src/core/view/requestOutput';
import { Button } from '../controls/Button';
import { FoldButton } from '../controls/FoldButton';
import { useDrawing, useSize } from '../drawing/canvasHooks';
import { usePalette } from '../drawing/theme';
import { findingOf, predictedBySlot } from '../state/cacheReport';
import { compactionAt } from '../state/compaction';
import { requestView, requestsInView, timelineFigures } from '../state/derived';
import {
  type RequestOfSession,
  selectRequest,
  useAppState,
  useInspector,
  useViewState,
} from '../state/inspector';
import type { KeyOf } from '../state/keyTable';
import { keyIn } from '../state/keys';
import { namedThreads, subagentOf, viewOfCall } from '../state/threads';
import { cacheWords } from '../words/cache';
import { compactionWords } from '../words/compaction';
import { expectedWord, pageWords } from '../words/page';
import { timelineWords as words } from '../words/timeline';
import { namesOf } from './BreakList';
import { ConversationPicker } from './ConversationPicker';
import { Swatch } from './Swatch';
import { TimelineTip } from './TimelineTip';

const inset = 16;

/** The session over time: a column for each request, and a slider over them. */
export function Timeline({ session, request }: RequestOfSession) {
  const { columns, summary } = session;
  const inspector = useInspector();
  const palette = usePalette(inspector.theme);
  const requests = useAppState(state => requestsInView(columns, state.view));
  const figures = timelineFigures(columns, requests);
  const isFolded = useViewState('isTimelineFolded');
  const slot = Math.max(0, requests.indexOf(request));
  const slider = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const size = useSize(slider);
  const [hoveredSlot, setHovered] = useState<number>();
  const layout = useMemo(
    () => layoutTimeline(requests.length, inset, Math.max(1, size.width - 2 * inset)),
    [requests, size.width],
  );
  const slots = useMemo(() => slotsByColumn(layout, figures.totals), [layout, figures]);
  const thread = at(columns.requests.thread, request);
  const cache = useAppState(state => state.cache);
  const marks = useMemo(() => {
    const findings = cache.kind === 'known' ? cache.value.findings : [];
    const breaks = findings.map(({ request: broken, causes, read, readable }) => ({
      request: broken,
      word: causeWords[causes[0]],
      lost: { read, readable },
    }));
    return timelineMarks(columns, summary, figures, breaks);
  }, [columns, summary, figures, cache]);
  const predicted = cache.kind === 'known' ? predictedBySlot(cache.value, requests) : undefined;
  const draw = useCallback(
    (context: CanvasRenderingContext2D) =>
      drawTimeline(context, {
        layout,
        content: { figures, slots, selectedSlot: slot, hoveredSlot, predicted, marks },
        palette,
        height: size.height,
      }),
    [layout, figures, slots, slot, hoveredSlot, predicted, marks, size.height, palette],
  );
  useDrawing(canvas, size, draw);

  const choose = (chosen: number): void => {
    selectRequest(inspector, columns, at(requests, clamp(chosen, 0, requests.length - 1)));
  };
  const slotOf = (event: PointerEvent): number => {
    const left = slider.current?.getBoundingClientRect().left ?? 0;
    return slotAt(layout, event.clientX - left);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const page = Math.max(5, Math.round(requests.length / 10));
    const targets: Readonly<Record<KeyOf<'timeline'>, number>> = {
      earlier: slot - 1,
      later: slot + 1,
      muchEarlier: slot - page,
      muchLater: slot + page,
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
  const caption = words.caption(slot, requests.length);
  const time = formatTime(at(columns.requests.timestamp, request));
  const threads = namedThreads(columns, summary);
  const subagent = subagentOf(summary, thread);
  const finding = findingOf(cache, request);
  const compacted = compactionAt(columns, summary, request);
  const output = doubtfulOutput(columns, request);
  const spoken = [
    caption,
    figureText(current.total),
    ...(current.recorded === undefined ? [] : [words.cacheReadOf(current.recorded.tokens)]),
    ...(output === undefined ? [] : [words.output(output.recorded, output.estimate)]),
    ...(compacted === undefined ? [] : [timelineMarkWords.marks[compacted.kind]]),
    ...(finding === undefined ? [] : [cacheWords.lostHere(namesOf(finding), finding.tokensLost)]),
  ];
  const hovered = hoveredSlot === undefined ? undefined : at(requests, hoveredSlot);
  const call = subagent === undefined ? undefined : viewOfCall(columns, subagent);
  return (
    <section className="timeline" aria-label={words.section}>
      <div className="timeline__caption row small tabular">
        <FoldButton
          name={words.section}
          isOpen={!isFolded}
          controls="timeline-chart"
          onToggle={() => inspector.changeView({ isTimelineFolded: !isFolded })}
        />
        <span className="timeline__request strong">{caption}</span>
        {time !== '' && <span className="muted">{time}</span>}
        <span className="muted ellipsis">
          {visibleLabel(columns.strings.at(at(columns.requests.model, request)) ?? '')}
        </span>
        {output !== undefined && (
          <span className="timeline__doubt" title={words.outputHint} data-testid="doubtful-output">
            <span aria-hidden="true">⚠ </span>
            {words.output(output.recorded, output.estimate)}
          </span>
        )}
        {threads.length > 1 && (
          <ConversationPicker
            threads={threads}
            chosen={thread}
            onChoose={number => inspector.changeView({ thread: number, request: undefined })}
          />
        )}
        {finding !== undefined && (
          <Button onPress={() => inspector.changeView({ panel: 'cache' })}>
            <span className="timeline__break" aria-hidden="true">
              ◆
            </span>{' '}
            {cacheWords.brokeHere(namesOf(finding))}
          </Button>
        )}
        {compacted !== undefined && (
          <Button
            onPress={() => inspector.changeView({ mainView: 'compaction', compaction: compacted.place })}
          >
            {compactionWords.here[compacted.kind]}
          </Button>
        )}
        {call !== undefined && <Button onPress={() => inspector.changeView(call)}>{words.toCall}</Button>}
        <span className="timeline__key muted fine" aria-hidden="true">
          {partitionNames.map((name, index) => (
            <Swatch key={name} colour={palette.partitions[index] ?? ''} label={partitionWords[name]} />
          ))}
          <Swatch kind="dashed" label={pageWords.notRecorded} />
          <Swatch kind="line" label={cacheWords.parts.read} />
          {predicted !== undefined && <Swatch kind="dashedLine" label={expectedWord} />}
        </span>
      </div>
      <div
        ref={slider}
        id="timeline-chart"
        hidden={isFolded}
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
          choose(slotOf(event));
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
        {hovered !== undefined && hoveredSlot !== undefined && (
          <TimelineTip
            columns={columns}
            request={hovered}
            slot={hoveredSlot}
            total={at(figures.totals, hoveredSlot)}
            finding={findingOf(cache, hovered)}
            left={leftOfSlot(layout, hoveredSlot) + layout.pitch / 2}
            width={size.width}
          />
        )}
      </div>
    </section>
  );
}
