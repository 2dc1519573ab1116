import { at } from '../../../src/core/base/numbers';
import { askForms, type AskOffer, type AskOrder } from '../../../src/protocol/askMessages';
import { Button } from '../../controls/Button';
import { Checkbox } from '../../controls/Checkbox';
import { Dropdown, optionsOf } from '../../controls/Dropdown';
import { LabelledDropdown } from '../../controls/LabelledDropdown';
import { ProgressRing } from '../../controls/ProgressRing';
import { Slider } from '../../controls/Slider';
import { TextField } from '../../controls/TextField';
import { useAppState, useInspector, usePruneOptions } from '../../state/inspector';
import type { RequestParts } from '../../state/requestParts';
import { useAnswer } from '../../state/useAnswer';
import { askWords as words } from '../../words/ask';
import { pageWords } from '../../words/page';
import { Answered, Failure } from '../common/Answered';
import { AskConfirmation } from './AskConfirmation';
import { AskOutcome } from './AskOutcome';

const mostTimes = 10;
const mostCalls = 20;

/**
 * Asks a model about the request in view. The planned request is shown first; nothing is sent until the user presses
 * Send.
 */
export function ModelPanel(parts: RequestParts) {
  const { answer } = useAnswer({ name: 'askOffer', params: {} }, { pause: 0 });
  return (
    <div className="panel stack gap-12" data-testid="model-panel">
      <Answered answer={answer} waiting={words.loading}>
        {offer =>
          offer.refusal === undefined ? (
            <Asking {...parts} offer={offer} />
          ) : (
            <p>{words.refusals[offer.refusal]}</p>
          )
        }
      </Answered>
    </div>
  );
}

type OfferParts = RequestParts & { readonly offer: AskOffer };

function Asking({ offer, ...parts }: OfferParts) {
  const { askModel } = useInspector();
  const { phase, plan, sentence } = useAppState(state => state.asks);
  const order = useOrder({ offer, ...parts });
  const isBusy = phase === 'preparing' || phase === 'running';
  const prepare = (): void => askModel({ kind: 'prepare', order });
  return (
    <>
      <p className="muted">{words.intro}</p>
      <Draft {...parts} offer={offer} />
      <div className="row wraps gap-6">
        <Button
          appearance={phase === 'planned' ? 'secondary' : 'primary'}
          disabled={isBusy}
          onPress={prepare}
        >
          {words.prepare}
        </Button>
        <Button onPress={() => askModel({ kind: 'openReplays' })}>{words.openReplays}</Button>
      </div>
      {phase === 'preparing' && (
        <p className="row wraps" role="status">
          <ProgressRing /> {words.preparing}{' '}
          <Button onPress={() => askModel({ kind: 'cancel' })}>{pageWords.cancel}</Button>
        </p>
      )}
      {phase === 'planned' && plan !== undefined && <AskConfirmation plan={plan} />}
      {sentence !== undefined && <Failure sentence={sentence} retry={prepare} />}
      {(phase === 'running' || phase === 'ended') && plan !== undefined && (
        <AskOutcome {...parts} plan={plan} />
      )}
    </>
  );
}

function recordedModel({ columns, view }: RequestParts): string {
  return columns.strings.at(at(columns.requests.model, view.request)) ?? '';
}

function firstFilled(...texts: readonly (string | undefined)[]): string {
  return texts.find(text => text !== undefined && text !== '') ?? '';
}

/** The user's order from the fields of the form. Empty fields take their value from the recorded request. */
function useOrder({ offer, ...parts }: OfferParts): AskOrder {
  const { draft } = useAppState(state => state.asks);
  const options = usePruneOptions();
  const { form, provider, isPruned, times, calls, question } = draft;
  const offered = offer.providers.find(({ id }) => id === provider);
  return {
    form,
    request: parts.view.request,
    provider,
    model: firstFilled(draft.model, offered?.model, offered?.models[0], recordedModel(parts)),
    ...(isPruned || form === 'compare' ? { prune: options } : {}),
    keepSecrets: false,
    times: form === 'count' ? calls : times,
    question,
  };
}

function Draft({ offer, ...parts }: OfferParts) {
  const { changeDraft } = useInspector();
  const { draft } = useAppState(state => state.asks);
  const { form, provider, model, isPruned, times, calls, question } = draft;
  const providers = offer.providers.filter(({ counts }) => form !== 'count' || counts);
  const offered = providers.find(({ id }) => id === provider);
  return (
    <section className="controls stack gap-10" aria-label={words.form}>
      <LabelledDropdown
        name={words.form}
        value={form}
        options={optionsOf(askForms, words.forms)}
        onChange={value => changeDraft({ form: value })}
      />
      <p className="muted">{words.formTexts[form]}</p>
      <LabelledDropdown
        name={words.provider}
        value={offered?.id ?? ''}
        options={[
          { value: '', label: words.byModel },
          ...providers.map(({ id, name }) => ({ value: id, label: name })),
        ]}
        onChange={value => changeDraft({ provider: value, model: '' })}
      />
      <div className="controls__row">
        <span>{words.model}</span>
        {offered !== undefined && offered.models.length > 0 ? (
          <Dropdown
            name={words.model}
            value={firstFilled(model, offered.models[0])}
            options={offered.models.map(value => ({ value, label: value }))}
            onChange={value => changeDraft({ model: value })}
          />
        ) : (
          <TextField
            name={words.model}
            placeholder={firstFilled(offered?.model, recordedModel(parts))}
            value={model}
            onInput={value => changeDraft({ model: value })}
          />
        )}
      </div>
      {form !== 'compare' && (
        <Checkbox
          label={words.pruned}
          checked={isPruned}
          onChange={value => changeDraft({ isPruned: value })}
        />
      )}
      {form === 'compare' && (
        <Slider
          label={words.times}
          valueName={pageWords.numberOf(words.times)}
          value={times}
          maximum={mostTimes}
          step={1}
          onChange={value => changeDraft({ times: Math.max(1, value) })}
        />
      )}
      {form === 'count' && (
        <Slider
          label={words.calls}
          valueName={pageWords.numberOf(words.calls)}
          value={calls}
          maximum={mostCalls}
          step={1}
          onChange={value => changeDraft({ calls: Math.max(1, value) })}
        />
      )}
      {form === 'question' && (
        <TextField
          name={words.question}
          placeholder={words.question}
          value={question}
          onInput={value => changeDraft({ question: value })}
        />
      )}
    </section>
  );
}
