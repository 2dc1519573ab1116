import { crackIcon } from '../../../src/core/drawing/icons';
import { goToRequest, lossesByWorth } from '../../state/cacheReport';
import { goToNextBlock, sensitiveBlocks } from '../../state/firstSight';
import { type SessionInView, useAppState, useInspector } from '../../state/inspector';
import { formatNumber } from '../../../src/core/base/format';
import { headerWords as words } from '../../words/header';
import { Icon } from '../common/Icon';
import { Sign } from '../common/Sign';

const privateLabel = 1;
const restrictedLabel = 2;

/** Notable places in the session. Each leads to the next place, and is absent if there is none. */
export function SessionPills({
  session: { columns },
  request,
}: {
  readonly session: SessionInView;
  readonly request: number | undefined;
}) {
  const inspector = useInspector();
  const cache = useAppState(state => state.cache);
  const blocks = sensitiveBlocks(columns);
  const losses = cache.kind === 'known' ? lossesByWorth(cache.value) : [];
  const goToLoss = (): void => {
    const place = losses.findIndex(loss => loss.request === request);
    const next = losses[place + 1] ?? losses[0];
    if (next !== undefined) {
      goToRequest(inspector, columns, next.request);
      inspector.changeView({ panel: 'cache' });
    }
  };
  const sensitive = (label: typeof privateLabel | typeof restrictedLabel) => {
    const found = blocks[label];
    const name =
      label === restrictedLabel ? words.secretBlocks(found.length) : words.privateBlocks(found.length);
    return (
      found.length > 0 && (
        <button
          type="button"
          className={`pill pill--${label === restrictedLabel ? 'restricted' : 'private'} bare row small tabular`}
          aria-label={name}
          title={words.nextHint(name)}
          onClick={() => goToNextBlock(inspector, columns, found)}
        >
          <Sign sensitivity={label} /> {formatNumber(found.length)}
        </button>
      )
    );
  };
  return (
    <div className="row rigid gap-6" role="group" aria-label={words.places}>
      {sensitive(restrictedLabel)}
      {sensitive(privateLabel)}
      {losses.length > 0 && (
        <button
          type="button"
          className="pill pill--loss bare row small tabular"
          aria-label={words.cacheLosses(losses.length)}
          title={words.nextHint(words.cacheLosses(losses.length))}
          onClick={goToLoss}
        >
          <Icon icon={crackIcon} size={12} /> {formatNumber(losses.length)}
        </button>
      )}
    </div>
  );
}
