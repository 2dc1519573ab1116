import type { ReactNode } from 'react';
import { formatNumber } from '../../src/core/base/format';
import { crackIcon } from '../../src/core/drawing/icons';
import { sensitivityLabels } from '../../src/core/model/labels';
import type { PageMarks } from '../../src/protocol/sessionsPage';
import { Icon } from '../components/common/Icon';
import { Sign } from '../components/common/Sign';
import { sessionsWords as words } from '../words/sessions';
import { Spoken } from './Spoken';

/** The index's findings for a session, as signs with counts. */
export function Marks({ marks }: { readonly marks: PageMarks | undefined }) {
  if (marks === undefined) {
    return undefined;
  }
  const { secrets, personal, breaks } = marks;
  return (
    <span className="marks row rigid">
      <Mark count={secrets} text={words.secrets}>
        <Sign sensitivity={sensitivityLabels.indexOf('restricted')} />
      </Mark>
      <Mark count={personal} text={words.personal}>
        <Sign sensitivity={sensitivityLabels.indexOf('private')} />
      </Mark>
      <Mark count={breaks} text={words.breaks}>
        <span className="marks__crack">
          <Icon icon={crackIcon} size={12} />
        </span>
      </Mark>
    </span>
  );
}

interface MarkProps {
  readonly count: number;
  readonly text: (count: number) => string;
  /** The sign. */
  readonly children: ReactNode;
}

function Mark({ count, text, children }: MarkProps) {
  return (
    count > 0 && (
      <span className="marks__mark row" title={text(count)}>
        {children}
        <span className="marks__count" aria-hidden="true">
          {formatNumber(count)}
        </span>
        <Spoken>{text(count)}</Spoken>
      </span>
    )
  );
}
