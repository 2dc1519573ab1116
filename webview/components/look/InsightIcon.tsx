import { crackIcon, iconOfBlock, snowflake } from '../../../src/core/drawing/icons';
import type { Insight } from '../../../src/core/insights/insight';
import { wasteKinds } from '../../../src/core/waste/wasteKinds';
import { Icon } from '../common/Icon';
import { Sign } from '../common/Sign';
import { iconOfWaste } from '../waste/wasteIcons';

const scissors =
  'M3.5 1.5 L9.6 10.2 M12.5 1.5 L6.4 10.2 M3 10.2 L6.4 10.2 L6.4 13.6 L3 13.6 Z M9.6 10.2 L13 10.2 L13 13.6 L9.6 13.6 Z';

/** The sign of a finding's kind. */
export function InsightIcon({ insight, size }: { readonly insight: Insight; readonly size?: number }) {
  const { kind } = insight;
  switch (kind) {
    case 'secret':
      return <Sign sensitivity={2} />;
    case 'privateData':
      return <Sign sensitivity={1} />;
    case 'loss':
    case 'waste':
    case 'prune':
    case 'compaction':
    case 'fetchedAgain':
    case 'layout':
    case 'staleEdit':
      return (
        <span className={`look__icon look__icon--${kind} row rigid`}>
          <Icon icon={iconOf(insight)} {...(size === undefined ? {} : { size })} />
        </span>
      );
  }
}

function iconOf({ kind, detail }: Insight): string {
  switch (kind) {
    case 'waste': {
      const waste = wasteKinds.find(each => each === detail);
      return waste === undefined ? iconOfBlock('toolResult', 'tools') : iconOfWaste(waste, '');
    }
    case 'prune':
      return scissors;
    case 'compaction':
    case 'fetchedAgain':
      return iconOfBlock('summary', 'model');
    case 'layout':
      return snowflake;
    case 'staleEdit':
      return iconOfBlock('toolResult', 'files');
    case 'loss':
    case 'secret':
    case 'privateData':
      return crackIcon;
  }
}
