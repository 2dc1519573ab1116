import { useState } from 'react';
import type { BlockText } from '../../src/core/session/blockText';
import type { TextSegment } from '../../src/core/sensitivity/maskText';
import { Button } from '../controls/Button';
import { visibleText } from '../format';
import { useAnswer } from '../state/useAnswer';
import { strings } from '../strings';
import { Answered } from './Answered';
import { Fact, Facts } from './Facts';
import { ShowMore } from './ShowMore';

const words = strings.details;
const pageLength = 4000;

/**
 * A block's text, page by page, asked for when it is looked at. What a finding covers stays masked until the user asks
 * to see it; another block starts masked again, because this component is made anew for it.
 */
export function BlockTextView({
  block,
  name = words.text,
  findings,
  characters,
}: {
  readonly block: number;
  readonly name?: string;
  readonly findings: number;
  readonly characters: number;
}) {
  const [{ length, reveal }, setWanted] = useState({ length: pageLength, reveal: false });
  const { answer, last } = useAnswer(
    { name: 'blockText', params: { block, start: 0, length, reveal } },
    // A finished scan and a grown block change what is masked and how much there is.
    { since: `${findings} ${characters}`, isUrgent: true },
  );
  const isStale = answer.kind === 'waiting' && last !== undefined;
  return (
    <Answered answer={isStale ? { kind: 'known', value: last } : answer} waiting={words.reading}>
      {page => (
        <Page
          name={name}
          page={page}
          isRevealed={reveal}
          onReveal={value => setWanted({ length, reveal: value })}
          onMore={() => setWanted({ length: length + 4 * pageLength, reveal })}
        />
      )}
    </Answered>
  );
}

function Page({
  name,
  page,
  isRevealed,
  onReveal,
  onMore,
}: {
  readonly name: string;
  readonly page: BlockText;
  readonly isRevealed: boolean;
  readonly onReveal: (reveal: boolean) => void;
  readonly onMore: () => void;
}) {
  const rest = page.characters - page.end;
  const canReveal = isRevealed || page.segments.some(segment => 'masked' in segment);
  return (
    <section className="block-text" aria-label={name}>
      <div className="block-text__head">
        <h3 className="panel-title">{name}</h3>
        {canReveal && (
          <Button onPress={() => onReveal(!isRevealed)}>{isRevealed ? words.hide : words.reveal}</Button>
        )}
      </div>
      {page.findings.length > 0 && (
        <ul className="findings">
          {page.findings.map(({ rule, label, start, end, message }) => (
            <li
              key={`${rule} ${start} ${end}`}
              className={`findings__entry sensitivity sensitivity--${label}`}
            >
              <strong>{visibleText(rule)}</strong>
              <span className="muted"> {words.findingRange(start, end)}</span>
              <span className="findings__message">{visibleText(message)}</span>
            </li>
          ))}
        </ul>
      )}
      {/* eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a long text scrolls by keyboard as well */}
      <pre className="block-text__text" tabIndex={0} data-testid="block-text">
        {page.characters === 0 ? words.emptyText : <Segments segments={page.segments} />}
      </pre>
      <ShowMore left={rest} onPress={onMore} />
      <Facts>
        <Fact name={words.irHash}>
          <code className="code">{page.irHash}</code>
        </Fact>
      </Facts>
    </section>
  );
}

/** Text with masked runs as chips; all of it as text, whatever it contains. */
export function Segments({ segments }: { readonly segments: readonly TextSegment[] }) {
  return segments.map((segment, index) =>
    'masked' in segment ? (
      <span key={index} className={`masked masked--${segment.label}`}>
        {words.masked(segment.masked, visibleText(segment.rule))}
      </span>
    ) : (
      <span key={index}>{visibleText(segment.text)}</span>
    ),
  );
}
