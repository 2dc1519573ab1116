import { useDeferredValue, useMemo, useState } from 'react';
import { formatNumber } from '../../../src/core/base/format';
import { visibleLabel } from '../../../src/core/base/visibleText';
import {
  type PruneMember,
  pruneMemberNames,
  pruneMembers,
  type PruneOptions,
  withOption,
  withRuleSet,
} from '../../../src/core/model/pruneConfig';
import { gainText } from '../../../src/core/prune/momentWords';
import { prunedBy } from '../../../src/core/prune/plan';
import { Button } from '../../controls/Button';
import { Checkbox } from '../../controls/Checkbox';
import { optionsOf } from '../../controls/Dropdown';
import { LabelledDropdown } from '../../controls/LabelledDropdown';
import { Slider } from '../../controls/Slider';
import { TextField } from '../../controls/TextField';
import { useAppState, useInspector, usePruneOptions, useViewState } from '../../state/inspector';
import { netOf } from '../../state/pruneNet';
import type { RequestParts } from '../../state/requestParts';
import { pageWords, panelWords } from '../../words/page';
import {
  keepWords,
  measureWords,
  pruneWords as words,
  replacementWords,
  ruleSetWords,
  worthWords,
} from '../../words/prune';
import { BlockList } from '../common/BlockList';
import { Fold } from '../common/Fold';
import { BestMoment, useBestMoments } from './BestMoment';
import { PruneReplay } from './PruneReplay';
import { PruneSearch } from './PruneSearch';
import { PruneVerdict } from './PruneVerdict';
import { PruneWorth, RuleSets } from './PruneWorth';

const longestList = 60;

/** The verdict on the prune of the request in view, its settings, and the reasons. */
export function PrunePanel(parts: RequestParts) {
  const { columns, summary, view, prune } = parts;
  const { changeView, act, exportView } = useInspector();
  const options = usePruneOptions();
  const isChanged = useViewState('prune') !== undefined;
  const report = useAppState(({ cache }) => (cache.kind === 'known' ? cache.value : undefined));
  const moments = useBestMoments(columns, view.request, options);
  const change = (next: PruneOptions): void => changeView({ prune: next });
  const weighed = useMemo(
    () => ({ columns, summary, view, prune, options, report }),
    [columns, summary, view, prune, options, report],
  );
  // A slider does not wait for the curve: the old one stays until the new one is computed.
  const settled = useDeferredValue(weighed);
  const isSettling = settled !== weighed && settled.prune.plan.executes;
  const of = isSettling ? settled : weighed;
  const net = netOf(of.columns, of.summary, of.view, of.prune, of.options, of.report);
  const { executes } = prune.plan;
  return (
    <div className="panel stack gap-12" data-testid="prune-panel">
      <div className="prune">
        <div className="prune__verdict stack gap-6">
          <PruneVerdict {...parts} options={options} net={net} isSettling={isSettling} />
          <BestMoment columns={columns} request={view.request} moments={moments} />
        </div>
        <div className="prune__settings stack gap-10">
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
            <Button disabled={!executes} onPress={() => exportView('prunedCopy')}>
              {words.exportCopy}
            </Button>
          </div>
        </div>
      </div>
      <PruneReplay columns={columns} request={view.request} options={options} />
      <PruneSearch columns={columns} request={view.request} options={options} moments={moments} />
      <RuleSets {...parts} options={options} />
      <Candidates {...parts} />
      <div className="folds">
        {executes && (
          <Fold
            title={worthWords.title}
            head={net.worth === undefined ? '' : gainText(net.worth.gained.money)}
          >
            <PruneWorth {...parts} options={options} net={net} />
          </Fold>
        )}
        <Kept {...parts} />
      </div>
    </div>
  );
}

/** True if the number of kept characters matters: katu also prunes no output that is shorter. */
const keepsCharacters = ({ replacement, ruleSet }: PruneOptions): boolean =>
  replacement === 'truncate' || ruleSet === 'katu';

interface ControlProps {
  readonly options: PruneOptions;
  readonly change: (options: PruneOptions) => void;
}

/** The most used first, as a laptop's pane shows only a few without scrolling. */
const first: readonly PruneMember[] = ['ruleSet', 'protectTokens', 'minimumTokens', 'replacement'];
const shownOrder = [...first, ...pruneMemberNames.filter(name => !first.includes(name))];

function Controls(props: ControlProps) {
  return (
    <section className="controls stack gap-6" aria-label={panelWords.prune}>
      {shownOrder.map(name => (
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
      return ruleSets.includes(options.ruleSet) &&
        !(name === 'toolOutputMaxChars' && !keepsCharacters(options)) ? (
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
  const kept = reasons.reduce((sum, [, count]) => sum + count, 0);
  return (
    <Fold title={words.keptTitle} head={formatNumber(kept)}>
      <ul className="reasons">
        {reasons.map(([reason, count]) => (
          <li key={reason} className="reasons__entry row apart">
            <span>{keepWords[reason]}</span>
            <span className="numeric">{formatNumber(count)}</span>
          </li>
        ))}
      </ul>
    </Fold>
  );
}
