import { Button } from '../../controls/Button';
import { requestNumber } from '../../state/cacheReport';
import { showCompaction } from '../../state/compaction';
import { requestsByThread } from '../../state/derived';
import { type SessionInView, useInspector } from '../../state/inspector';
import { compactionWords as words } from '../../words/compaction';
import { ShowMore, useShown } from '../common/ShowMore';

const pageLength = 20;

/** All compactions and clearings of the file, each with a button that shows its effect. */
export function CompactionList({
  session: { columns, summary },
  onChoose,
}: {
  readonly session: SessionInView;
  readonly onChoose: () => void;
}) {
  const inspector = useInspector();
  const { shown, left, showMore } = useShown(summary.compactions, pageLength);
  if (summary.compactions.length === 0) {
    return null;
  }
  return (
    <>
      <h2 className="panel-title">{words.allTitle}</h2>
      <ul>
        {shown.map(({ kind, request, thread }, place) => {
          const requests = requestsByThread(columns).get(thread);
          const after = requests?.find(entry => entry >= request);
          const target = after ?? requests?.at(-1);
          const name =
            after === undefined
              ? words.atEnd[kind]
              : words.beforeRequest[kind](requestNumber(columns, after));
          return (
            target !== undefined && (
              <li key={place} className="details__entry row gap-12">
                <span className="grows breaks">{name}</span>
                <Button
                  name={words.showIt(name)}
                  onPress={() => {
                    showCompaction(inspector, columns, place, target);
                    onChoose();
                  }}
                >
                  {words.show}
                </Button>
              </li>
            )
          );
        })}
      </ul>
      <ShowMore left={left} onPress={showMore} />
    </>
  );
}
