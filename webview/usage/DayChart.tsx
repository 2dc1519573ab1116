import { type CSSProperties, type KeyboardEvent, useRef, useState } from 'react';
import { clamp } from '../../src/core/base/numbers';
import { formatMeasure, usageWords as words } from '../words/usage';
import { dayName, shortDay } from '../words/usageSums';
import { axisOf, growth, type Measure, type Part } from './usageGroups';

interface DayChartProps {
  readonly days: readonly string[];
  readonly parts: readonly Part[];
  /** The loss by cache losses on each day. */
  readonly lost: readonly number[];
  readonly measure: Measure;
  /** The day whose sessions are listed. */
  readonly chosen: string;
  readonly onChoose: (day: string) => void;
}

/** The usage of each day, stacked by group. Each day is a button; the arrow keys move between days. */
export function DayChart({ days, parts, lost, measure, chosen, onChoose }: DayChartProps) {
  const bars = useRef<HTMLDivElement>(null);
  const [pointed, setPointed] = useState<number>();
  const sums = days.map((_, day) => parts.reduce((sum, { byDay }) => sum + (byDay[day] ?? 0), 0));
  const lines = axisOf(Math.max(...sums, 0));
  const top = lines.at(-1) ?? 0;
  const chosenDay = Math.max(0, days.indexOf(chosen));
  const shown = pointed ?? (days.includes(chosen) ? chosenDay : undefined);

  const move = (event: KeyboardEvent, day: number): void => {
    const steps: Readonly<Record<string, number>> = {
      ArrowLeft: day - 1,
      ArrowRight: day + 1,
      Home: 0,
      End: days.length - 1,
    };
    const next = steps[event.key];
    if (next !== undefined) {
      event.preventDefault();
      const target = bars.current?.children.item(clamp(next, 0, days.length - 1));
      if (target instanceof HTMLElement) {
        target.focus();
      }
    }
  };
  return (
    <div className="chart">
      <div className="chart__plot">
        {lines.map(line => (
          <span
            key={line}
            className="chart__line"
            style={{ bottom: `${top === 0 ? 0 : (line / top) * 100}%` }}
            aria-hidden="true"
          >
            <span className="chart__value unbroken fine muted">{formatMeasure(line, measure, true)}</span>
          </span>
        ))}
        <div ref={bars} className="chart__bars" onMouseLeave={() => setPointed(undefined)}>
          {days.map((day, index) => (
            <button
              key={day}
              type="button"
              className="chart__day grows bare"
              aria-pressed={day === chosen}
              aria-label={labelOf(day, index, sums, parts, lost, measure)}
              tabIndex={index === chosenDay ? 0 : -1}
              onMouseEnter={() => setPointed(index)}
              onFocus={() => setPointed(index)}
              onBlur={() => setPointed(undefined)}
              onKeyDown={event => move(event, index)}
              onClick={() => onChoose(day)}
            >
              <span
                className="chart__bar"
                style={{ height: `${top === 0 ? 0 : ((sums[index] ?? 0) / top) * 100}%` }}
              >
                {parts.map(({ id, byDay }) => (
                  <span
                    key={id}
                    className={`chart__part step step--${id}`}
                    style={{ flexGrow: growth(byDay[index] ?? 0, sums[index] ?? 0) }}
                  />
                ))}
                {(lost[index] ?? 0) > 0 && (
                  <span
                    className="chart__lost"
                    style={{ height: `${growth(lost[index] ?? 0, sums[index] ?? 0)}%` }}
                  />
                )}
              </span>
            </button>
          ))}
        </div>
        {shown !== undefined && (
          <div
            className="chart__tip small unbroken tabular"
            style={tipPlace((shown + 0.5) / days.length)}
            aria-hidden="true"
          >
            <span className="strong">
              {dayName(days[shown] ?? '')}, {formatMeasure(sums[shown] ?? 0, measure)}
            </span>
            {(lost[shown] ?? 0) > 0 && ` ${words.lostOfDay(formatMeasure(lost[shown] ?? 0, measure))}`}
          </div>
        )}
      </div>
      <div className="chart__days fine muted" aria-hidden="true">
        {days.map((day, index) => (
          <span key={day} className="chart__name row grows unbroken">
            {isNamed(index, days.length) ? (index === days.length - 1 ? words.today : shortDay(day)) : ''}
          </span>
        ))}
      </div>
    </div>
  );
}

/**
 * Above its day, and always inside the chart: the tooltip and the chart are aligned at the same share of their widths.
 */
function tipPlace(share: number): CSSProperties {
  return { left: `${share * 100}%`, transform: `translateX(${-share * 100}%)` };
}

/** One day a week has a label, counted back from today. In a week, every day has one. */
const isNamed = (index: number, length: number): boolean =>
  length <= 7 || (length - 1 - index) % (length > 28 ? 14 : 7) === 0;

function labelOf(
  day: string,
  index: number,
  sums: readonly number[],
  parts: readonly Part[],
  lost: readonly number[],
  measure: Measure,
): string {
  const groups = parts.flatMap(({ name, byDay }) => {
    const value = byDay[index] ?? 0;
    return value === 0 ? [] : [`${name} ${formatMeasure(value, measure)}`];
  });
  const ofCache = lost[index] ?? 0;
  return [
    `${dayName(day)}: ${formatMeasure(sums[index] ?? 0, measure)}`,
    ...groups,
    ...(ofCache === 0 ? [] : [words.lostOfDay(formatMeasure(ofCache, measure))]),
  ].join(', ');
}
