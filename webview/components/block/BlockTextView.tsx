import { type ClipboardEvent, type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { BlockText } from '../../../src/core/session/blockText';
import { controlIcons } from '../../controls/icons';
import { IconButton } from '../../controls/IconButton';
import { ToggleButton } from '../../controls/ToggleButton';
import { type AnswerState, settle } from '../../state/answerState';
import { useAppState, useInspector, useViewState } from '../../state/inspector';
import { keyIn } from '../../state/keys';
import type { TextRange } from '../../state/textPieces';
import { useAnswer } from '../../state/useAnswer';
import { detailWords } from '../../words/block';
import { textWords as words } from '../../words/details';
import { Answered, Failure } from '../common/Answered';
import { Icon } from '../common/Icon';
import { findingBeside, FindingSteps } from '../waste/FindingSteps';
import { TextMap } from './TextMap';
import { FormattedText, type TextLook } from '../reading/FormattedText';
import { TextRows } from './TextRows';

/** A place in the text that the user went to. A new object each time, so that it is scrolled into view again. */
interface Target {
  readonly offset: number;
}

interface Wanted {
  /** The wanted offset in the page. */
  readonly offset: number;
  readonly target: Target | undefined;
  /** The place of the finding that the user went to. */
  readonly finding: number | undefined;
}

const noHits: readonly TextRange[] = [];

/**
 * A block's text, one page at a time, with marked findings and search hits. Findings stay masked until the user reveals
 * them. Each block starts masked, because the parent gives this component a new key.
 */
export function BlockTextView({
  block,
  look,
  name = detailWords.text,
  findings,
  characters,
}: {
  readonly block: number;
  readonly look: TextLook;
  readonly name?: string;
  readonly findings: number;
  readonly characters: number;
}) {
  const [isRevealed, setRevealed] = useState(false);
  const [{ offset, target, finding }, setWanted] = useState<Wanted>({
    offset: 0,
    target: undefined,
    finding: undefined,
  });
  // After a finished scan or growth of the block, the masked ranges and the length change.
  const since = `${findings} ${characters}`;
  // Two questions, so that the masked text is there at once when the user masks revealed text again.
  const masked = useAnswer(
    { name: 'blockText', params: { block, offset, reveal: false } },
    { since, pause: 0 },
  );
  const revealed = useAnswer(
    isRevealed ? { name: 'blockText', params: { block, offset, reveal: true } } : undefined,
    { since, pause: 0 },
  );
  const { answer, last } = isRevealed ? { ...revealed, last: revealed.last ?? masked.last } : masked;
  const { hits, current, failure } = useHits(block, since);
  const page = answer.kind === 'known' ? answer.value : answer.kind === 'waiting' ? last : undefined;

  const go = (to: number, at: number | undefined = finding): void => {
    const isHere = page !== undefined && to >= page.start && to < page.end;
    setWanted({ offset: isHere ? page.start : to, target: { offset: to }, finding: at });
  };
  const goToFinding = (place: number): void => {
    const found = page?.findings[place];
    if (found !== undefined) {
      go(found.start, place);
    }
  };

  // Follows the search to a hit, once for each step, when the hit's place is known.
  const [followed, setFollowed] = useState<unknown>();
  const hit = current === undefined ? undefined : hits[current.hit];
  if (hit !== undefined && page !== undefined && followed !== current) {
    setFollowed(current);
    go(hit.start);
  }
  return (
    <Answered
      answer={page === undefined ? answer : { kind: 'known', value: page }}
      waiting={detailWords.loading}
    >
      {shown => (
        <Page
          block={block}
          look={look}
          name={name}
          page={shown}
          hits={hits}
          currentHit={current?.hit}
          failure={failure && <Failure {...failure} />}
          finding={finding}
          target={target}
          isRevealed={isRevealed}
          onReveal={setRevealed}
          onGo={go}
          onStay={() => setWanted({ offset, target: undefined, finding: undefined })}
          onFinding={goToFinding}
        />
      )}
    </Answered>
  );
}

/** The places of the search's hits in a block's text, and the hit that the user went to. */
function useHits(
  block: number,
  since: string,
): {
  readonly hits: readonly TextRange[];
  readonly current: { readonly hit: number } | undefined;
  readonly failure: Extract<AnswerState<unknown>, { readonly kind: 'failed' }> | undefined;
} {
  const result = useAppState(state => state.find.result);
  const current = useAppState(state => state.find.current);
  const isFound = (result?.found.get(block)?.hits ?? 0) > 0;
  const { answer } = useAnswer(
    isFound && result !== undefined
      ? { name: 'findInBlock', params: { query: result.query, block } }
      : undefined,
    { since, pause: 0 },
  );
  return {
    hits: isFound && answer.kind === 'known' ? answer.value.hits : noHits,
    current: isFound && current?.block === block ? current : undefined,
    failure: isFound && answer.kind === 'failed' ? answer : undefined,
  };
}

function Page({
  block,
  look,
  name,
  page,
  hits,
  currentHit,
  failure,
  finding,
  target,
  isRevealed,
  onReveal,
  onGo,
  onStay,
  onFinding,
}: {
  readonly block: number;
  readonly look: TextLook;
  readonly name: string;
  readonly page: BlockText;
  readonly hits: readonly TextRange[];
  readonly currentHit: number | undefined;
  /** The reason why the hits are unknown. */
  readonly failure: ReactNode;
  readonly finding: number | undefined;
  readonly target: Target | undefined;
  readonly isRevealed: boolean;
  readonly onReveal: (reveal: boolean) => void;
  readonly onGo: (offset: number) => void;
  /** Forgets the place that the user went to. */
  readonly onStay: () => void;
  readonly onFinding: (place: number) => void;
}) {
  const box = useRef<HTMLDivElement>(null);
  const { findings, pages, characters } = page;
  const canReveal = isRevealed || findings.length > 0;
  const { changeView } = useInspector();
  const isFormatted = useViewState('isTextFormatted');
  const isBare = findings.length === 0 && pages === 1 && failure === undefined;

  useLayoutEffect(() => {
    if (
      box.current !== null &&
      target !== undefined &&
      target.offset >= page.start &&
      target.offset < page.end
    ) {
      bringIntoView(box.current, target.offset);
    }
  }, [target, page, hits]);
  useFindingKeys(findings.length, finding, onFinding);

  return (
    <section className="text-view" aria-label={name}>
      <div className={`text-view__head row shrinks${isBare ? ' text-view__head--bare' : ''}`}>
        <FindingSteps findings={findings} current={finding} onGo={onFinding} />
        {failure}
        <span className="grows" />
        {pages > 1 && (
          <span
            className="row rigid unbroken gap-0"
            role="group"
            aria-label={words.page(page.page + 1, pages)}
          >
            <IconButton
              icon="left"
              name={words.previousPage}
              disabled={page.page === 0}
              onPress={() => onGo(page.start - 1)}
            />
            <span className="tabular small muted">{words.placeOf(page.page + 1, pages)}</span>
            <IconButton
              icon="right"
              name={words.nextPage}
              disabled={page.page === pages - 1}
              onPress={() => onGo(page.end)}
            />
          </span>
        )}
        {characters > 0 && (
          <ToggleButton
            name={words.formatted}
            isOn={isFormatted && target === undefined}
            onChange={isOn => {
              changeView({ isTextFormatted: isOn });
              onStay();
            }}
          >
            ¶
          </ToggleButton>
        )}
        <CopyButton block={block} isRevealed={isRevealed} isMasked={findings.length > 0 && !isRevealed} />
        {canReveal && (
          <button
            type="button"
            className="text-view__reveal bare row rigid gap-4 small pressable"
            aria-pressed={isRevealed}
            title={isRevealed ? words.hide : words.revealHint}
            onClick={() => onReveal(!isRevealed)}
          >
            <Icon icon={controlIcons.eye} />
            <span className="text-view__reveal-words">{isRevealed ? words.hide : words.reveal}</span>
          </button>
        )}
      </div>
      <div className="text-view__frame framed">
        <div
          key={page.start}
          ref={box}
          className={`text-view__box text-view__box--${page.form}`}
          // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a long text scrolls by keyboard as well
          tabIndex={0}
          role="document"
          aria-label={name}
          data-testid="block-text"
          onCopy={isFormatted && target === undefined ? undefined : copyExactly}
        >
          {characters === 0 ? (
            detailWords.emptyText
          ) : isFormatted && target === undefined ? (
            <FormattedText page={page} look={look} />
          ) : (
            <TextRows page={page} hits={hits} currentHit={currentHit} target={target?.offset} />
          )}
        </div>
        {(pages > 1 || findings.length > 0 || hits.length > 0) && (
          <TextMap page={page} hits={hits} onGo={onGo} />
        )}
      </div>
    </section>
  );
}

/** Copies the whole text without masked parts. */
function CopyButton({
  block,
  isRevealed,
  isMasked,
}: {
  readonly block: number;
  readonly isRevealed: boolean;
  readonly isMasked: boolean;
}) {
  const { ask } = useInspector();
  const [outcome, setOutcome] = useState<AnswerState<void>>();
  const copy = (): void => {
    const copied = ask({ name: 'wholeText', params: { block, reveal: isRevealed } }).then(({ text }) =>
      navigator.clipboard.writeText(text),
    );
    settle(copied, copy, setOutcome);
  };
  return (
    <>
      {outcome?.kind === 'failed' && <Failure {...outcome} />}
      <span className="small muted" role="status">
        {outcome?.kind === 'known' && words.copied}
      </span>
      <IconButton icon="copy" name={isMasked ? words.copyMasked : words.copyText} onPress={copy} />
    </>
  );
}

/** Scrolls the mark at an offset into view, or the row around it. */
function bringIntoView(box: HTMLElement, offset: number): void {
  let found: HTMLElement | undefined;
  for (const element of box.querySelectorAll<HTMLElement>('[data-at]')) {
    if (Number(element.dataset['at']) > offset) {
      break;
    }
    found = element;
  }
  if (found !== undefined) {
    box.scrollTop +=
      found.getBoundingClientRect().top - box.getBoundingClientRect().top - box.clientHeight / 3;
  }
}

/** Steps through findings with F8 and Shift+F8, which step through problems in VS Code's editors. */
function useFindingKeys(
  count: number,
  current: number | undefined,
  onFinding: (place: number) => void,
): void {
  const step = useRef<(by: 1 | -1) => void>(undefined);
  useEffect(() => {
    step.current = by => onFinding(findingBeside(count, current, by));
  });
  useEffect(() => {
    if (count === 0) {
      return undefined;
    }
    const onKeyDown = (event: KeyboardEvent): void => {
      if (keyIn('page', event) === 'nextFinding') {
        // VS Code listens above the document, and would go to a problem of a file.
        event.preventDefault();
        event.stopPropagation();
        step.current?.(event.shiftKey ? -1 : 1);
      }
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [count]);
}

/** Copies the selection exactly as in the text. Row breaks of the layout are not line breaks. */
function copyExactly(event: ClipboardEvent): void {
  const selection = document.getSelection();
  if (selection === null || selection.isCollapsed || selection.rangeCount === 0) {
    return;
  }
  event.preventDefault();
  event.clipboardData.setData('text/plain', selection.getRangeAt(0).cloneContents().textContent);
}
