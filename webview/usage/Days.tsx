import { FigureTable } from '../components/common/FigureTable';
import { IconButton } from '../controls/IconButton';
import { Link } from '../controls/Link';
import { visibleText } from '../../src/core/base/visibleText';
import { formatMeasure, usageWords as words } from '../words/usage';
import { dayName } from '../words/usageSums';
import { DayChart } from './DayChart';
import type { Measure, Part, UsagePeriod } from './usageGroups';

interface DaysProps {
  readonly period: UsagePeriod;
  readonly parts: readonly Part[];
  readonly measure: Measure;
  /** The day whose sessions are listed. */
  readonly chosen: string;
  readonly isTable: boolean;
  readonly onChoose: (day: string) => void;
  readonly onSwitch: () => void;
}

/** The usage of each day: as bars, or as a table with the same figures. */
export function Days({ period, parts, measure, chosen, isTable, onChoose, onSwitch }: DaysProps) {
  const { days } = period;
  const lost = period.lostByDay[measure];
  return (
    <section className="stack" aria-label={words.byDay}>
      <div className="days__head row apart">
        <h2 className="small strong">{words.byDay}</h2>
        <IconButton icon="table" name={words.daysAsTable} isPressed={isTable} onPress={onSwitch} />
      </div>
      {isTable ? (
        <div className="days__table">
          <FigureTable
            label={words.byDay}
            heads={[
              words.day,
              ...parts.map(({ id, name }) => (
                <span key={id} className="unbroken">
                  <span className={`groups__sample step step--${id}`} />
                  {visibleText(name)}
                </span>
              )),
              words.lostColumn,
              words.sum,
            ]}
            rows={days.map((day, index) => {
              const values = parts.map(({ byDay }) => byDay[index] ?? 0);
              return {
                key: day,
                cells: [
                  <Link key="day" onPress={() => onChoose(day)}>
                    {dayName(day)}
                  </Link>,
                  ...[...values, lost[index] ?? 0].map(value =>
                    value === 0 ? '–' : formatMeasure(value, measure),
                  ),
                  <span key="sum" className="strong">
                    {formatMeasure(
                      values.reduce((sum, value) => sum + value, 0),
                      measure,
                    )}
                  </span>,
                ],
                ...(day === chosen ? { role: 'chosen' as const } : {}),
              };
            })}
          />
        </div>
      ) : (
        <DayChart
          days={days}
          parts={parts}
          lost={lost}
          measure={measure}
          chosen={chosen}
          onChoose={onChoose}
        />
      )}
    </section>
  );
}
