import { useEffect } from 'react';
import { askForms, type AskOrder } from '../../src/protocol/asking';
import { at } from '../../src/core/base/numbers';
import { askStrings as words } from '../askStrings';
import { Button } from '../controls/Button';
import { Checkbox } from '../controls/Checkbox';
import { Dropdown } from '../controls/Dropdown';
import { ProgressRing } from '../controls/ProgressRing';
import { Slider } from '../controls/Slider';
import { TextField } from '../controls/TextField';
import { visibleText } from '../../src/core/base/visibleText';
import { useAppState, useInspector, usePruneOptions } from '../state/inspector';
import { AskConfirmation } from './AskConfirmation';
import { AskOutcome } from './AskOutcome';
import type { RequestParts } from '../state/requestParts';

const mostTimes = 10;
const mostCalls = 20;

/** Asks a model about the request in view. What would be sent is shown first; nothing is sent until the user presses Send. */
export function ModelPanel(parts: RequestParts) {
  const { askModel } = useInspector();
  const { offer, phase, plan, sentence } = useAppState(state => state.asks);
  useEffect(() => askModel({ kind: 'offer' }), [askModel]);
  const order = useOrder(parts);
  if (offer === undefined) {
    return <div className="panel" data-testid="model-panel" />;
  }
  if (offer.refusal !== undefined) {
    return (
      <div className="panel" data-testid="model-panel">
        <p>{words.refusals[offer.refusal]}</p>
      </div>
    );
  }
  const isBusy = phase === 'preparing' || phase === 'running';
  return (
    <div className="panel" data-testid="model-panel">
      <p className="muted">{words.intro}</p>
      <Draft {...parts} />
      <div className="panel-actions">
        <Button
          appearance={phase === 'planned' ? 'secondary' : 'primary'}
          disabled={isBusy}
          onPress={() => askModel({ kind: 'prepare', order })}
        >
          {words.prepare}
        </Button>
        <Button onPress={() => askModel({ kind: 'openReplays' })}>{words.openReplays}</Button>
      </div>
      {phase === 'preparing' && (
        <p className="ask-status" role="status">
          <ProgressRing /> {words.preparing}
        </p>
      )}
      {phase === 'planned' && plan !== undefined && <AskConfirmation plan={plan} />}
      {sentence !== undefined && (
        <p className="ask-fault" role="alert">
          {visibleText(sentence)}
        </p>
      )}
      {(phase === 'running' || phase === 'ended') && plan !== undefined && (
        <AskOutcome {...parts} plan={plan} />
      )}
    </div>
  );
}

function recordedModel({ columns, view }: RequestParts): string {
  return columns.strings.at(at(columns.requests.model, view.request)) ?? '';
}

function firstFilled(...texts: readonly (string | undefined)[]): string {
  return texts.find(text => text !== undefined && text !== '') ?? '';
}

/** The order in the fields; empty fields take their value from the recorded request. */
function useOrder(parts: RequestParts): AskOrder {
  const { offer, draft } = useAppState(state => state.asks);
  const options = usePruneOptions();
  const { form, provider, isPruned, times, calls, question } = draft;
  const offered = offer?.providers.find(({ id }) => id === provider);
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

function Draft(parts: RequestParts) {
  const { changeDraft } = useInspector();
  const { offer, draft } = useAppState(state => state.asks);
  const { form, provider, model, isPruned, times, calls, question } = draft;
  const providers = (offer?.providers ?? []).filter(({ counts }) => form !== 'count' || counts);
  const offered = providers.find(({ id }) => id === provider);
  return (
    <section className="controls" aria-label={words.form}>
      <div className="controls__row">
        <span className="controls__name">{words.form}</span>
        <Dropdown
          name={words.form}
          value={form}
          options={askForms.map(value => ({ value, label: words.forms[value] }))}
          onChange={value => changeDraft({ form: value })}
        />
      </div>
      <p className="muted">{words.formTexts[form]}</p>
      <div className="controls__row">
        <span className="controls__name">{words.provider}</span>
        <Dropdown
          name={words.provider}
          value={offered?.id ?? ''}
          options={[
            { value: '', label: words.byModel },
            ...providers.map(({ id, name }) => ({ value: id, label: name })),
          ]}
          onChange={value => changeDraft({ provider: value, model: '' })}
        />
      </div>
      <div className="controls__row">
        <span className="controls__name">{words.model}</span>
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
          valueName={words.value(words.times)}
          value={times}
          maximum={mostTimes}
          step={1}
          onChange={value => changeDraft({ times: Math.max(1, value) })}
        />
      )}
      {form === 'count' && (
        <Slider
          label={words.calls}
          valueName={words.value(words.calls)}
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
