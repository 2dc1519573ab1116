import { useEffect, useState } from 'react';
import type { BlockText, TextSegment } from '../../src/protocol/messages';
import { Button } from '../controls/Button';
import { visibleText } from '../../src/core/base/visibleText';
import { useInspector } from '../state/inspector';
import { strings } from '../strings';
import { Failed } from './Answered';
import { Fact, Facts } from './Facts';
import { ShowMore } from './ShowMore';

const words = strings.details;
const pageLength = 4000;

interface Loaded {
  readonly page: BlockText;
  readonly reveal: boolean;
}

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
  const { askBlockText } = useInspector();
  const [wanted, setWanted] = useState({ length: pageLength, reveal: false });
  const [loaded, setLoaded] = useState<Loaded>();
  const [problem, setProblem] = useState<string>();

  useEffect(() => {
    let isCurrent = true;
    askBlockText({ block, start: 0, length: wanted.length, reveal: wanted.reveal }).then(
      page => {
        if (isCurrent) {
          setLoaded({ page, reveal: wanted.reveal });
          setProblem(undefined);
        }
      },
      (error: unknown) => {
        if (isCurrent) {
          setProblem(error instanceof Error ? error.message : String(error));
        }
      },
    );
    return () => {
      isCurrent = false;
    };
    // The text is asked for again when a scan finishes or the block grows.
  }, [askBlockText, block, wanted, findings, characters]);

  if (problem !== undefined) {
    return <Failed sentence={problem} />;
  }
  if (loaded === undefined) {
    return <p className="muted">{words.reading}</p>;
  }
  const { page } = loaded;
  const rest = page.characters - page.end;
  const canReveal = loaded.reveal || page.segments.some(segment => 'masked' in segment);
  return (
    <section className="block-text stack" aria-label={name}>
      <div className="block-text__head">
        <h3 className="panel-title">{name}</h3>
        {canReveal && (
          <Button onPress={() => setWanted({ ...wanted, reveal: !loaded.reveal })}>
            {loaded.reveal ? words.hide : words.reveal}
          </Button>
        )}
      </div>
      {page.findings.length > 0 && (
        <ul className="findings stack">
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
      <ShowMore
        left={rest}
        onPress={() => setWanted({ ...wanted, length: wanted.length + 4 * pageLength })}
      />
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
