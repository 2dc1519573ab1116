import { visibleText } from '../../../src/core/base/visibleText';
import {
  frozenWords,
  receiverWords,
  secretPlaceWords,
  sentWords,
  sinceWords,
} from '../../../src/core/exposure/exposureWords';
import type { SensitiveItem } from '../../../src/core/exposure/sensitiveItem';
import { Link } from '../../controls/Link';
import { exposureOfSecrets, goToBlock } from '../../state/exposure';
import { type SessionInView, useInspector } from '../../state/inspector';
import { useAnswer } from '../../state/useAnswer';
import { headerWords as words } from '../../words/header';
import { Answered } from '../common/Answered';
import { ShowMore, useShown } from '../common/ShowMore';
import { Sign } from '../common/Sign';
import { ruleName } from '../../../src/core/sensitivity/ruleWords';

const pageLength = 20;
/** Maximum number of named places of one secret. */
const mostPlaces = 12;

/** The secrets of the session, each with the requests that sent it and links to its blocks. Never shows their texts. */
export function SecretList({
  session,
  onChoose,
}: {
  readonly session: SessionInView;
  readonly onChoose: () => void;
}) {
  const { columns, pending } = session;
  const isSearched = pending === undefined && columns.blocks.findings.some(count => count > 0);
  const { answer } = useAnswer(isSearched ? { name: 'sensitiveItems', params: {} } : undefined, {
    since: columns,
    pause: 0,
  });
  return (
    isSearched && (
      <section aria-label={words.secrets} data-testid="secrets">
        <h2 className="panel-title">{words.secrets}</h2>
        <Answered answer={answer} waiting={words.secretsWaiting}>
          {items => <Secrets session={session} items={items} onChoose={onChoose} />}
        </Answered>
      </section>
    )
  );
}

function Secrets({
  session: { columns, summary },
  items,
  onChoose,
}: {
  readonly session: SessionInView;
  readonly items: readonly SensitiveItem[];
  readonly onChoose: () => void;
}) {
  const inspector = useInspector();
  const { shown, left, showMore } = useShown(exposureOfSecrets(columns, summary, items), pageLength);
  return (
    <>
      <ul>
        {shown.map((secret, number) => (
          <li key={number} className="details__secret stack gap-2 ruled">
            <span>
              <Sign sensitivity={secret.label === 'restricted' ? 2 : 1} />{' '}
              {visibleText(ruleName(secret.rule))}
            </span>
            <span className="details__secret-places row wraps">
              {secret.places.slice(0, mostPlaces).map(place => (
                <Link
                  key={`${place.block} ${place.in} ${place.member ?? ''}`}
                  onPress={() => {
                    goToBlock(inspector, columns, place.block);
                    onChoose();
                  }}
                >
                  {visibleText(secretPlaceWords(place))}
                </Link>
              ))}
              {secret.places.length > mostPlaces && (
                <span className="muted">{words.morePlaces(secret.places.length - mostPlaces)}</span>
              )}
            </span>
            {exposureLines(secret).map(line => (
              <span key={line} className="muted small">
                {line}
              </span>
            ))}
          </li>
        ))}
      </ul>
      <ShowMore left={left} onPress={showMore} />
    </>
  );
}

function exposureLines(secret: Parameters<typeof sentWords>[0]): readonly string[] {
  return secret.requests === 0
    ? [sentWords(secret)]
    : [
        words.secretSent(`${sentWords(secret)} · ${frozenWords(secret)}`),
        words.secretSentTo(`${visibleText(receiverWords(secret))} · ${sinceWords(secret)}`),
      ];
}
