import { formatNumber } from '../../../src/core/base/format';
import { groupBy } from '../../../src/core/base/groupBy';
import { visibleLabel } from '../../../src/core/base/visibleText';
import type { SessionColumns } from '../../../src/core/model/columns';
import { type AuditedEdit, type SightReport, verdictKinds } from '../../../src/core/sight/sightReport';
import { outcomeWords, verdictText } from '../../../src/core/sight/sightWords';
import { goToRequest, requestNumber } from '../../state/cacheReport';
import { useInspector, useViewState } from '../../state/inspector';
import { useSight } from '../../state/sight';
import { sightWords as words } from '../../words/sight';
import { Answered } from '../common/Answered';
import { ChoiceList } from '../common/ChoiceList';
import { FigureTable } from '../common/FigureTable';
import { Fold } from '../common/Fold';

const pageLength = 12;

/** All edits by verdict: counts, and a list that begins with the edits whose lines the agent had not seen. */
export function SightList({ columns }: { readonly columns: SessionColumns }) {
  const answer = useSight();
  const head =
    answer.kind === 'known' ? headOf(groupBy(answer.value.edits, ({ verdict }) => verdict.kind)) : undefined;
  return (
    <Fold title={words.title} head={head}>
      <Answered answer={answer} waiting={words.loading}>
        {report => <Edits columns={columns} report={report} />}
      </Answered>
    </Fold>
  );
}

type ByVerdict = ReadonlyMap<AuditedEdit['verdict']['kind'], readonly AuditedEdit[]>;

const headOf = (byVerdict: ByVerdict): string =>
  verdictKinds
    .filter(kind => byVerdict.has(kind))
    .map(kind => `${words.heads[kind]} ${formatNumber(byVerdict.get(kind)?.length ?? 0)}`)
    .join(' · ');

function Edits({
  columns,
  report: { edits },
}: {
  readonly columns: SessionColumns;
  readonly report: SightReport;
}) {
  const inspector = useInspector();
  const selected = useViewState('block');
  if (edits.length === 0) {
    return <p className="muted">{words.none}</p>;
  }
  const byVerdict: ByVerdict = groupBy(edits, ({ verdict }) => verdict.kind);
  const ordered = verdictKinds.flatMap(kind => byVerdict.get(kind) ?? []);
  return (
    <div className="stack gap-10" data-testid="sight-list">
      <FigureTable
        heads={[words.verdict, words.edits, words.failed]}
        rows={verdictKinds
          .filter(kind => byVerdict.has(kind))
          .map(kind => ({
            key: kind,
            cells: [
              words.heads[kind],
              formatNumber(byVerdict.get(kind)?.length ?? 0),
              formatNumber(byVerdict.get(kind)?.filter(isFailed).length ?? 0),
            ],
          }))}
      />
      <section aria-label={words.all(edits.length)}>
        <h3 className="panel-title">{words.all(edits.length)}</h3>
        <ChoiceList
          entries={ordered}
          pageLength={pageLength}
          choiceOf={edit => ({
            key: `${edit.block} ${edit.path}`,
            place: edit.request < 0 ? '–' : requestNumber(columns, edit.request),
            name: `${nameOf(edit.path)} · ${verdictText(edit.verdict)}`,
            figure: edit.outcome === 'applied' ? '' : outcomeWords[edit.outcome],
            isChosen: edit.block === selected,
            choose: () => goToRequest(inspector, columns, requestWith(columns, edit), edit.block),
          })}
        />
      </section>
    </div>
  );
}

const isFailed = ({ outcome }: AuditedEdit): boolean => outcome !== 'applied' && outcome !== 'unanswered';

const nameOf = (path: string): string =>
  visibleLabel(path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1));

/**
 * The first request that sends an edit back, because its call is in the drawing there. Otherwise the request that made
 * the edit.
 */
function requestWith({ blocks }: SessionColumns, { block, request }: AuditedEdit): number {
  const sentBack = blocks.firstRequest[block] ?? -1;
  return sentBack >= 0 ? sentBack : Math.max(0, request);
}
