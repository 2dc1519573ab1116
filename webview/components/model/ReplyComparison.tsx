import { type ChangeObject, diffLines, diffWordsWithSpace } from 'diff';
import { type ReactNode, useMemo } from 'react';
import { visibleText } from '../../../src/core/base/visibleText';
import type { ShownComparison } from '../../../src/protocol/askMessages';
import { Tag } from '../../controls/Tag';
import { askWords as words } from '../../words/ask';

/** Maximum number of changes. Texts with more have too little in common for a diff by words or lines. */
const mostWordChanges = 1000;
const mostLineChanges = 5000;

type Change = ChangeObject<string>;

/** The recorded and the replayed answer side by side: calls by name and arguments, texts as a diff. */
export function ReplyComparison({ comparison }: { readonly comparison: ShownComparison }) {
  const { hasRecorded, isSameAction, isSameTools, calls, texts } = comparison;
  return (
    <section className="stack gap-10" aria-label={words.sideBySide} data-testid="ask-comparison">
      {hasRecorded ? (
        <p>
          <Tag tone={isSameAction ? 'ice' : 'warning'}>
            {isSameAction ? words.sameAction : isSameTools ? words.sameTools : words.otherAction}
          </Tag>
        </p>
      ) : (
        <p className="muted">{words.noRecorded}</p>
      )}
      <div className="reply-comparison__sides">
        <h4 className="panel-title">{words.recordedAnswer}</h4>
        <h4 className="panel-title">{words.replayedAnswer}</h4>
      </div>
      {calls.map(({ first, second, difference }, index) => (
        <section key={index} aria-label={words.differences[difference]}>
          <p className="muted">{words.differences[difference]}</p>
          <Sides first={callText(first)} second={callText(second)} empty={words.noCall} />
        </section>
      ))}
      {(texts[0] !== '' || texts[1] !== '') && (
        <Sides first={texts[0]} second={texts[1]} empty={words.noText} />
      )}
    </section>
  );
}

function callText(call: ShownComparison['calls'][number]['first']): string {
  return call === undefined ? '' : `${call.name} ${call.input}`;
}

function Sides({
  first,
  second,
  empty,
}: {
  readonly first: string;
  readonly second: string;
  readonly empty: string;
}) {
  const changes = useMemo(() => diffOf(visibleText(first), visibleText(second)), [first, second]);
  const side = (text: string, content: (change: Change, index: number) => ReactNode) => (
    <pre className="text-box ask-text">
      {text === '' ? <span className="muted">{empty}</span> : changes.map(content)}
    </pre>
  );
  return (
    <div className="reply-comparison__sides">
      {side(first, ({ added, removed, value }, index) =>
        added ? undefined : removed ? <del key={index}>{value}</del> : <span key={index}>{value}</span>,
      )}
      {side(second, ({ added, removed, value }, index) =>
        removed ? undefined : added ? <ins key={index}>{value}</ins> : <span key={index}>{value}</span>,
      )}
    </div>
  );
}

/** A diff by words. If the texts differ too much, by lines; otherwise both texts as a whole. */
function diffOf(first: string, second: string): readonly Change[] {
  return (
    diffWordsWithSpace(first, second, { maxEditLength: mostWordChanges }) ??
    diffLines(first, second, { maxEditLength: mostLineChanges }) ?? [
      { value: first, added: false, removed: true, count: 1 },
      { value: second, added: true, removed: false, count: 1 },
    ]
  );
}
