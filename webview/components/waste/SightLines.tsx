import { at } from '../../../src/core/base/numbers';
import { visibleLabel } from '../../../src/core/base/visibleText';
import { kindOf } from '../../../src/core/model/blockWords';
import type { SessionColumns } from '../../../src/core/model/columns';
import { isEditTool } from '../../../src/core/sight/editTools';
import type { AuditedEdit, SightVerdict } from '../../../src/core/sight/sightReport';
import { outcomeWords, verdictText } from '../../../src/core/sight/sightWords';
import { Link } from '../../controls/Link';
import { goToRequest } from '../../state/cacheReport';
import { showCompaction } from '../../state/compaction';
import { useInspector } from '../../state/inspector';
import { useSight } from '../../state/sight';
import { sightWords as words } from '../../words/sight';

/** Shows at an edit's call and result if the agent had seen the replaced lines. */
export function SightLines({ columns, block }: { readonly columns: SessionColumns; readonly block: number }) {
  const { blocks, strings } = columns;
  const call = kindOf(blocks, block) === 'toolCall' ? block : at(blocks.pair, block);
  const isEdit = call >= 0 && isEditTool(strings.at(at(blocks.tool, call)) ?? '');
  const answer = useSight(isEdit);
  const own = answer.kind === 'known' ? answer.value.edits.filter(edit => edit.block === call) : [];
  return own.map(edit => (
    <p key={edit.path} className="sight" title={words.factHint} data-testid="sight">
      {own.length > 1 && `${visibleLabel(edit.path)}: `}
      <span className={`sight__verdict--${edit.verdict.kind}`}>{verdictText(edit.verdict)}</span>
      {edit.outcome !== 'applied' && <span className="muted"> · {outcomeWords[edit.outcome]}</span>}
      <SightLinks columns={columns} edit={edit} />
    </p>
  ));
}

/** Links to the block that showed the lines, to their change, and to their removal. */
function SightLinks({ columns, edit }: { readonly columns: SessionColumns; readonly edit: AuditedEdit }) {
  const inspector = useInspector();
  const { verdict, request } = edit;
  const go = (block: number, isInContext: boolean) => () =>
    goToRequest(
      inspector,
      columns,
      isInContext && request >= 0 ? request : Math.max(0, at(columns.blocks.firstRequest, block)),
      block,
    );
  const compaction = compactionOf(verdict);
  return (
    <>
      {(verdict.kind === 'seen' || verdict.kind === 'stale' || verdict.kind === 'absent') &&
        verdict.block !== undefined && (
          <>
            {' '}
            <Link onPress={go(verdict.block, verdict.kind !== 'absent')}>
              {words.toEvidence[verdict.kind]}
            </Link>
          </>
        )}
      {verdict.kind === 'stale' && verdict.changedBy !== undefined && (
        <>
          {' '}
          <Link onPress={go(verdict.changedBy, false)}>{words.toChange}</Link>
        </>
      )}
      {compaction !== undefined && (
        <>
          {' '}
          <Link onPress={() => showCompaction(inspector, columns, compaction.place, request)}>
            {words.toCompaction[compaction.kind]}
          </Link>
        </>
      )}
    </>
  );
}

function compactionOf(
  verdict: SightVerdict,
): { readonly place: number; readonly kind: 'compaction' | 'clearing' } | undefined {
  return verdict.kind === 'absent' &&
    verdict.compaction !== undefined &&
    (verdict.since === 'compaction' || verdict.since === 'clearing')
    ? { place: verdict.compaction, kind: verdict.since }
    : undefined;
}
