import { useState } from 'react';
import { visibleText } from '../../src/core/base/visibleText';
import type { TextSegment } from '../../src/core/sensitivity/maskText';
import type { BlockText } from '../../src/core/session/blockText';
import { Button } from '../controls/Button';
import { useAnswer } from '../state/useAnswer';
import { detailWords as words } from '../words/block';
import { Answered } from './Answered';
import { Fact, Facts } from './Facts';
import { ShowMore } from './ShowMore';

const pageLength = 4000;

/**
 * A block's text, loaded page by page. Findings stay masked until the user reveals them. Each block starts masked, because
 * the parent gives this component a new key.
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
    <Answered answer={isStale ? { kind: 'known', value: last } : answer} waiting={words.loading}>
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
    <section className="stack gap-10" aria-label={name}>
      <div className="block-text__head">
        <h3 className="panel-title">{name}</h3>
        {canReveal && (
          <Button onPress={() => onReveal(!isRevealed)}>{isRevealed ? words.hide : words.reveal}</Button>
        )}
      </div>
      {page.findings.length > 0 && (
        <ul className="stack gap-6 small">
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
      <pre className="text-box" tabIndex={0} data-testid="block-text">
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

/** Text with masked runs as chips. Its content is never markup. */
export function Segments({ segments }: { readonly segments: readonly TextSegment[] }) {
  return segments.map((segment, index) =>
    'masked' in segment ? (
      <span key={index} className={`masked ellipsis masked--${segment.label}`}>
        {words.masked(segment.masked, visibleText(segment.rule))}
      </span>
    ) : (
      <span key={index}>{visibleText(segment.text)}</span>
    ),
  );
}
