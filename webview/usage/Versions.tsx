import { useState } from 'react';
import { formatNumber } from '../../src/core/base/format';
import { visibleText } from '../../src/core/base/visibleText';
import {
  radarChangeText,
  radarFigureWords,
  radarRangeText,
  radarValue,
} from '../../src/core/radar/radarWords';
import type { UsageResult } from '../../src/protocol/indexService';
import { FigureTable } from '../components/common/FigureTable';
import { Link } from '../controls/Link';
import { useSelected } from '../state/store';
import { useAnswerOf } from '../state/useAnswer';
import { usageWords as words } from '../words/usage';
import { notKnown } from '../words/usageSums';
import type { Usage } from './usageState';

type Agent = UsageResult<'radar'>['agents'][number];

/** Number of versions shown at first, the newest. */
const firstVersions = 6;

/** The figures of each agent by version, and the versions from which one changed. Only once everything is read. */
export function Versions({ usage, revision }: { readonly usage: Usage; readonly revision: number }) {
  const isRead = useSelected(usage.store, ({ index }) => index?.kind === 'current');
  const { last: report } = useAnswerOf(usage.ask, isRead ? { name: 'radar', params: {} } : undefined, {
    since: revision,
    pause: 0,
  });
  return report === undefined || report.agents.length === 0 ? null : (
    <section className="stack" aria-label={words.versions}>
      <h2 className="small strong">{words.versions}</h2>
      {report.agents.map(agent => (
        <AgentVersions key={agent.agent} {...agent} />
      ))}
    </section>
  );
}

const figures = ['cacheShare', 'losses', 'notRecorded', 'compactions', 'cost'] as const;

function AgentVersions({ agent, versions, changes }: Agent) {
  const [isWhole, setWhole] = useState(false);
  const newest = versions.toReversed();
  const shown = isWhole ? newest : newest.slice(0, firstVersions);
  return (
    <section className="groups stack" aria-label={visibleText(agent)}>
      <h3 className="small">{visibleText(agent)}</h3>
      {changes.length > 0 && (
        <ul className="causes">
          {changes.map(change => (
            <li key={`${change.version} ${change.figure} ${String(change.cause)}`} className="prose small">
              <span className={change.isWorse ? 'strong' : undefined}>
                {visibleText(radarChangeText(change))}
              </span>
              {'. '}
              <span className="muted">{visibleText(radarRangeText(change))}</span>
            </li>
          ))}
        </ul>
      )}
      <FigureTable
        label={words.versionsOf(visibleText(agent))}
        heads={[words.version, words.sessions, ...figures.map(figure => radarFigureWords[figure])]}
        rows={shown.map(row => ({
          key: row.version,
          cells: [
            visibleText(row.version),
            formatNumber(row.sessions),
            ...figures.map(figure => radarValue(figure, row[figure]) || notKnown),
          ],
        }))}
      />
      {newest.length > shown.length && (
        <Link onPress={() => setWhole(true)}>{words.showAll(newest.length)}</Link>
      )}
    </section>
  );
}
