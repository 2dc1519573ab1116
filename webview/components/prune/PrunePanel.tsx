import { useMemo, useState } from 'react';
import { formatNumber, formatShare } from '../../../src/core/base/format';
import { visibleLabel } from '../../../src/core/base/visibleText';
import {
  type PruneMember,
  pruneMemberNames,
  pruneMembers,
  type PruneOptions,
  withOption,
  withRuleSet,
} from '../../../src/core/model/pruneConfig';
import { estimateSentence } from '../../../src/core/prune/estimateWords';
import { nothingSentence } from '../../../src/core/prune/nothingWords';
import { prunedBy } from '../../../src/core/prune/plan';
import { Button } from '../../controls/Button';
import { Checkbox } from '../../controls/Checkbox';
import { optionsOf } from '../../controls/Dropdown';
import { LabelledDropdown } from '../../controls/LabelledDropdown';
import { Slider } from '../../controls/Slider';
import { TextField } from '../../controls/TextField';
import { requestNumber } from '../../state/cacheReport';
import { useInspector, usePruneOptions, useViewState } from '../../state/inspector';
import type { RequestParts } from '../../state/requestParts';
import { pageWords, panelWords } from '../../words/page';
import {
  keepWords,
  measureWords,
  pruneWords as words,
  replacementWords,
  ruleSetWords,
} from '../../words/prune';
import { BlockList } from '../common/BlockList';
import { PruneOutlook, PruneWorth } from './PruneWorth';
import { Quality } from '../common/Quality';

const longestList = 60;

/** The PruneConfig as controls, and its effect on the request in view. */
export function PrunePanel(parts: RequestParts) {
  const { changeView, act, exportView } = useInspector();
  const options = usePruneOptions();
  const isChanged = useViewState('prune') !== undefined;
  const change = (next: PruneOptions): void => changeView({ prune: next });
  return (
    <div className="panel stack gap-12" data-testid="prune-panel">
      <div className="prune">
        <div className="stack gap-12">
          <Outcome {...parts} options={options} />
          {parts.prune.plan.executes && <PruneWorth {...parts} options={options} />}
        </div>
        <div className="prune__settings stack gap-12">
          <Controls options={options} change={change} />
          <div className="row wraps gap-6">
            <Button
              appearance="primary"
              disabled={!isChanged}
              onPress={() => act({ kind: 'savePruneOptions', options })}
            >
              {words.save}
            </Button>
            <Button disabled={!isChanged} onPress={() => changeView({ prune: undefined })}>
              {words.reset}
            </Button>
            <Button disabled={!parts.prune.plan.executes} onPress={() => exportView('prunedCopy')}>
              {words.exportCopy}
            </Button>
          </div>
        </div>
      </div>
      <PruneOutlook {...parts} options={options} />
      <Candidates {...parts} />
      <Kept {...parts} />
    </div>
  );
}

function Outcome({ columns, view, prune, options }: RequestParts & { readonly options: PruneOptions }) {
  const { plan, prefix, tokensAfter } = prune;
  const nothing = nothingSentence(plan, options, requestNumber(columns, view.request));
  return (
    <section className="stack gap-4" aria-label={words.result} role="status">
      {nothing === undefined ? (
        <>
          <p className="row baseline">
            <strong className="outcome__freed strong tabular" data-testid="freed">
              {words.freed(plan.tokensFreed)}
            </strong>
            <span>{words.unit}</span>
            <Quality quality={plan.estimated ? 'estimated' : view.quality} error={view.error} />
          </p>
          <p>{words.candidates(plan.candidates.length)}</p>
          <p className="muted" data-testid="prune-reason">
            {words.enough[options.measure](plan.candidateTokens, options.minimumTokens)}
          </p>
        </>
      ) : (
        <p className="verdict strong">{nothing}</p>
      )}
      {prune.prunedByEstimate !== undefined && (
        <p className="muted">{estimateSentence(options.ruleSet, prune.prunedByEstimate)}</p>
      )}
      {plan.executes && (
        <ul className="stack gap-2">
          <li>{words.tokensAfter(view.total.value, tokensAfter)}</li>
          {view.window !== undefined && (
            <li>
              {words.fill(
                formatShare(view.total.value / view.window),
                formatShare(tokensAfter / view.window),
              )}
            </li>
          )}
          <li>{words.prefix(prefix.blocks, prefix.tokens)}</li>
        </ul>
      )}
    </section>
  );
}

interface ControlProps {
  readonly options: PruneOptions;
  readonly change: (options: PruneOptions) => void;
}

function Controls(props: ControlProps) {
  return (
    <section className="controls stack gap-10" aria-label={panelWords.prune}>
      {pruneMemberNames.map(name => (
        // The tooltip is the option's own name, as in the settings and in the agents' code.
        <div key={name} className="controls__option" title={name}>
          <Control name={name} {...props} />
        </div>
      ))}
    </section>
  );
}

function Control({ name, options, change }: ControlProps & { readonly name: PruneMember }) {
  const label = words[name];
  switch (name) {
    case 'ruleSet':
      return (
        <LabelledDropdown
          name={label}
          value={options.ruleSet}
          options={optionsOf(pruneMembers.ruleSet.values, ruleSetWords)}
          onChange={ruleSet => change(withRuleSet(options, ruleSet))}
        />
      );
    case 'replacement':
      return (
        <LabelledDropdown
          name={label}
          value={options.replacement}
          options={optionsOf(pruneMembers.replacement.values, replacementWords)}
          onChange={replacement => change({ ...options, replacement })}
        />
      );
    case 'measure':
      return (
        <LabelledDropdown
          name={label}
          value={options.measure}
          options={optionsOf(pruneMembers.measure.values, measureWords)}
          onChange={measure => change({ ...options, measure })}
        />
      );
    case 'enabled':
      return (
        <Checkbox
          label={label}
          checked={options.enabled}
          onChange={enabled => change({ ...options, enabled })}
        />
      );
    case 'protectedTools':
      return <ProtectedTools options={options} change={change} />;
    case 'protectTokens':
    case 'minimumTokens':
    case 'toolOutputMaxChars':
    case 'cacheWarmSuffixTokens': {
      const { maximum, step, ruleSets } = pruneMembers[name];
      return ruleSets.includes(options.ruleSet) ? (
        <Slider
          label={label}
          valueName={pageWords.numberOf(label)}
          value={options[name]}
          maximum={maximum}
          step={step}
          onChange={value => change(withOption(options, name, value))}
        />
      ) : undefined;
    }
  }
}

function ProtectedTools({ options, change }: ControlProps) {
  const [tool, setTool] = useState('');
  const name = tool.trim();
  const add = (): void => {
    if (name !== '' && !options.protectedTools.includes(name)) {
      change({ ...options, protectedTools: [...options.protectedTools, name] });
    }
    setTool('');
  };
  return (
    <div className="stack gap-6">
      <span>{words.protectedTools}</span>
      <ul className="row wraps gap-6" aria-label={words.protectedTools}>
        {options.protectedTools.length === 0 && <li className="muted">{pageWords.none}</li>}
        {options.protectedTools.map(entry => (
          <li key={entry} className="chip row gap-4 fine unbroken">
            {visibleLabel(entry)}
            <button
              type="button"
              className="chip__remove bare pressable"
              aria-label={words.removeTool(visibleLabel(entry))}
              onClick={() =>
                change({
                  ...options,
                  protectedTools: options.protectedTools.filter(other => other !== entry),
                })
              }
            >
              ✕
            </button>
          </li>
        ))}
      </ul>
      <div className="protected-tools__add">
        <TextField
          name={words.addTool}
          placeholder={words.addTool}
          value={tool}
          onInput={setTool}
          onEnter={add}
        />
        <Button disabled={name === ''} onPress={add}>
          {words.add}
        </Button>
      </div>
    </div>
  );
}

function Candidates({ columns, view, prune }: RequestParts) {
  const candidates = prunedBy(prune.plan);
  if (candidates.length === 0) {
    return undefined;
  }
  const entries = candidates
    .slice(0, longestList)
    .map(block => ({ block, tokens: 0 - (prune.decisionOf(block)?.tokensFreed ?? 0) }));
  return (
    <>
      <BlockList title={words.listTitle} columns={columns} view={view} entries={entries} />
      {candidates.length > longestList && (
        <p className="muted">{words.more(candidates.length - longestList)}</p>
      )}
    </>
  );
}

/** The number of results that stay, by reason. */
function Kept({ prune }: RequestParts) {
  const reasons = useMemo(() => {
    return [...prune.plan.decisions.keptByReason()].sort(([, first], [, second]) => second - first);
  }, [prune.plan]);
  if (reasons.length === 0) {
    return undefined;
  }
  return (
    <section aria-label={words.keptTitle}>
      <h2 className="panel-title">{words.keptTitle}</h2>
      <ul className="reasons">
        {reasons.map(([reason, count]) => (
          <li key={reason} className="reasons__entry row apart">
            <span>{keepWords[reason]}</span>
            <span className="numeric">{formatNumber(count)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
