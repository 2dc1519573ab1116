import { formatBytes, formatMoney } from '../../../src/core/base/format';
import { visibleText } from '../../../src/core/base/visibleText';
import { figureText } from '../../../src/core/tokens/qualityWords';
import type { AskPlan } from '../../../src/protocol/askMessages';
import { Button } from '../../controls/Button';
import { Checkbox } from '../../controls/Checkbox';
import { useInspector } from '../../state/inspector';
import { askWords as words } from '../../words/ask';
import { pageWords } from '../../words/page';
import { Fact, Facts } from '../common/Facts';

/** Shows the plan, which appears below the button that made it. */
const bringIntoView = (element: HTMLElement | null): void => element?.scrollIntoView({ block: 'nearest' });

/** The content to send, its destination, its size and its maximum cost. Nothing is sent until its button is pressed. */
export function AskConfirmation({ plan }: { readonly plan: AskPlan }) {
  const { askModel } = useInspector();
  const { order, provider, destination, isLocal, calls, bytes, tokens, outputTokens, cost, notes, lacksKey } =
    plan;
  return (
    <section
      className="ask-plan box stack gap-10"
      aria-label={words.planTitle}
      data-testid="ask-plan"
      ref={bringIntoView}
    >
      <h2 className="panel-title">{words.planTitle}</h2>
      <Facts>
        <Fact name={words.to}>{visibleText(words.target(provider, destination, isLocal))}</Fact>
        <Fact name={words.model}>{visibleText(order.model)}</Fact>
        <Fact name={words.requests}>{words.atMost(calls)}</Fact>
        <Fact name={words.size}>{formatBytes(bytes)}</Fact>
        <Fact name={words.tokens}>{figureText(tokens)}</Fact>
        <Fact name={words.answer}>
          {outputTokens === 0 ? pageWords.none : words.answerTokens(outputTokens)}
        </Fact>
        <Fact name={pageWords.cost}>
          {order.form === 'count'
            ? words.countPrice
            : cost === undefined
              ? pageWords.priceUnknown
              : words.costAtMost(formatMoney(cost))}
        </Fact>
      </Facts>
      {notes.length > 0 && (
        <section aria-label={words.notes}>
          <h3 className="panel-title">{words.notes}</h3>
          <ul className="bullets">
            {notes.map(note => (
              <li key={note}>{visibleText(note)}</li>
            ))}
          </ul>
        </section>
      )}
      <Checkbox
        label={words.keepSecrets}
        checked={order.keepSecrets}
        onChange={keepSecrets => askModel({ kind: 'prepare', order: { ...order, keepSecrets } })}
      />
      {lacksKey && (
        <p className="ask-fault box row wraps breaks">
          {visibleText(words.lacksKey(provider, destination))}{' '}
          <Button onPress={() => askModel({ kind: 'setKey', provider: order.provider })}>
            {words.setKey}
          </Button>
        </p>
      )}
      <div className="row wraps gap-6">
        <Button
          appearance="primary"
          disabled={lacksKey}
          onPress={() => askModel({ kind: 'send', plan: plan.plan })}
        >
          {words.send}
        </Button>
        <Button onPress={() => askModel({ kind: 'cancel' })}>{words.discard}</Button>
      </div>
    </section>
  );
}
