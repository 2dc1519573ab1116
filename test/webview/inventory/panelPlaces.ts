import { exampleFile, openThroughDoor } from '../door';
import { bandRow, onPage, shareLevels } from './pagePlaces';
import { asks, changes, choose, does, fill, hides, type Place, press, row, shows } from './rows';

const effectOfPruning = 'role=status[name="Effect of pruning"]';
const savedToSettings = 'role=button[name="Save to settings"][disabled=true]';
const isReset = 'role=button[name="Reset"][disabled=true]';

const chooseAction: Place['reach'] = async page => {
  await page.getByRole('tab', { name: 'Model' }).click();
  await page.getByRole('combobox', { name: 'Action' }).selectOption('Count tokens exactly');
};

const openWaste: Place['reach'] = async page => {
  await page.getByRole('tab', { name: 'Waste' }).click();
  await page.getByTestId('waste-headline').waitFor();
};

/**
 * The tabs next to the drawing of the bundled example, which has every kind of block, a compaction, a subagent, and a
 * cache loss.
 */
export const panelPlaces: readonly Place[] = [
  onPage('Cache', page => page.getByRole('tab', { name: 'Cache' }).click(), [
    row('fold', /^Breakpoints/, shows('details[open] >> text=Breakpoints')),
    row('radio', 'NeMo Relay’s plan', shows('text=What NeMo Relay 0.9.2 would do')),
    row('radio', 'Best plan', shows('text=This plan saves the most')),
    row('fold', /^Stability/, shows('details[open] >> text=Stability')),
    row('fold', /^Order of the blocks/, shows('details[open] >> text=Order of the blocks')),
    row('button', /^\d+$/, changes('role=listbox')),
    row('button', /^\d+ (idle too long|compaction)/, shows('[data-testid=cache-break]')),
    row('button', 'Side by side', shows('[data-testid=comparison]')),
    row('button', bandRow, shows('[data-testid=block-details] >> role=heading')),
  ]),
  onPage('Prune', page => page.getByRole('tab', { name: 'Prune' }).click(), [
    row('slider', 'Protect newest', changes(effectOfPruning), press('End')),
    row('spinbutton', 'Protect newest, value', changes(effectOfPruning), fill('30000')),
    row('slider', 'Minimum tokens', changes(effectOfPruning), press('End')),
    row('spinbutton', 'Minimum tokens, value', changes(effectOfPruning), fill('1')),
    row('button', 'Reset', shows(isReset)),
    row('checkbox', 'Prune old results', changes(effectOfPruning)),
    row('button', 'Save to settings', shows(savedToSettings)),
    row('checkbox', 'Prune old results', changes(effectOfPruning)),
    row('button', 'Save to settings', shows(savedToSettings)),
    row('combobox', 'Rule set', changes(effectOfPruning), choose('katu')),
    row('button', 'Reset', shows(isReset)),
    row(
      'combobox',
      'Replace with',
      changes('role=combobox[name="Replace with"]'),
      choose('Beginning and placeholder'),
    ),
    row('slider', 'Keep characters', changes('[data-testid=prune-panel]'), press('Home')),
    row('spinbutton', 'Keep characters, value', changes('[data-testid=prune-panel]'), fill('5000')),
    row('combobox', 'Measure in', changes(effectOfPruning), choose('Tokens')),
    row('button', 'Stop protecting skill', hides('role=button[name="Stop protecting skill"]')),
    row('textbox', 'Add a tool', hides('role=button[name="Add"][disabled=true]'), fill('Bash')),
    row('button', 'Add', shows('role=button[name="Stop protecting Bash"]')),
    row('button', 'Stop protecting Bash', hides('role=button[name="Stop protecting Bash"]')),
    row('button', 'Export pruned copy…', asks(shareLevels)),
    row('button', 'Best settings', shows('role=button[name=/· protect/]')),
    row('button', /· protect/, changes('role=slider[name="Protect newest"]')),
    row('button', 'Rule sets for this request', shows('role=button[name="oh-my-pi"]')),
    row(
      'button',
      /^(opencode|katu|oh-my-pi|Claude Code microcompact|duplicates.*)$/,
      changes('role=combobox[name="Rule set"]'),
    ),
    row('button', /^\d+ .+ −[\d,]+$/, changes('role=listbox')),
    row('fold', /^Costs and savings/, shows('[data-testid=prune-worth]')),
    row('fold', /^Kept results/, shows('.reasons')),
    row('button', /^Request \d+ /, changes('[data-testid=total]')),
  ]),
  // With the usual thresholds, pruning saves money at no request of the example.
  onPage(
    'Prune with low thresholds',
    async page => {
      await page.getByRole('tab', { name: 'Prune' }).click();
      await page.getByRole('spinbutton', { name: 'Protect newest, value' }).fill('30000');
      await page.getByRole('spinbutton', { name: 'Minimum tokens, value' }).fill('3000');
      await page.getByRole('button', { name: /^Best at request/ }).waitFor();
    },
    [row('button', /^Best (at|without hindsight, at) request \d+/, changes('[data-testid=total]'))],
  ),
  onPage(
    'Prune as oh-my-pi',
    async page => {
      await page.getByRole('tab', { name: 'Prune' }).click();
      await page.getByRole('combobox', { name: 'Rule set' }).selectOption('oh-my-pi');
    },
    [
      row('slider', 'Max. rewritten', changes('[data-testid=prune-panel]'), press('Home')),
      row('spinbutton', 'Max. rewritten, value', changes('[data-testid=prune-panel]'), fill('9000')),
    ],
  ),
  onPage('Waste', openWaste, [
    row('button', /^\S+ prints every test that passes/, changes('[data-testid=slot-layout]')),
    row('button', /^Stale file reads/, changes('[data-testid=slot-layout]')),
    row('button', '--reporter=dot', shows('[data-testid=waste-noisyOutput] >> text=Copied')),
    row('button', '/clear', shows('[data-testid=waste-staleReading] >> text=Copied')),
    row('button', 'Copy as Markdown', shows('.waste__foot >> text=Copied')),
    row('fold', /^Edits and what the agent saw/, shows('[data-testid=sight-list]')),
    row(
      'button',
      /^\d+ .+ · (Not in the context|Only partly|Seen|New file|Stale|Unknown)/,
      shows('[data-testid=sight]'),
    ),
    row('button', 'Kinds of waste shown', shows('role=checkbox[name="Stale file reads"]')),
  ]),
  onPage(
    'An edit that saw nothing',
    async page => {
      await page.getByRole('tab', { name: 'Waste' }).click();
      await page.getByText('Edits and what the agent saw').click();
      const list = page.getByTestId('sight-list');
      await list
        .getByRole('button', { name: /removed by a compaction/ })
        .first()
        .click();
      await page.getByTestId('sight').waitFor();
    },
    [
      row('button', 'Go to its last appearance', changes('[data-testid=block-details]')),
      row('button', 'Show the compaction', shows('[data-testid=compaction]')),
    ],
  ),
  onPage(
    'An edit that saw what it replaced',
    async page => {
      await page.getByRole('tab', { name: 'Waste' }).click();
      await page.getByText('Edits and what the agent saw').click();
      await page
        .getByTestId('sight-list')
        .getByRole('button', { name: /· Seen/ })
        .first()
        .click();
      await page.getByTestId('sight').waitFor();
    },
    [row('button', 'Go to what the agent saw', changes('[data-testid=block-details]'))],
  ),
  onPage(
    'Kinds of waste',
    async page => {
      await page.getByRole('tab', { name: 'Waste' }).click();
      await page.getByTestId('waste-headline').waitFor();
      await page.getByRole('button', { name: 'Kinds of waste shown' }).click();
    },
    ['staleReading', 'noisyOutput'].flatMap((kind, place) => {
      const name = place === 0 ? 'Stale file reads' : 'Output that a flag can avoid';
      const finding = `[data-testid=waste-${kind}]`;
      return [row('checkbox', name, hides(finding)), row('checkbox', name, shows(finding))];
    }),
  ),
  onPage('Model', page => page.getByRole('tab', { name: 'Model' }).click(), [
    row('textbox', 'Model', changes('role=textbox[name="Model"]'), fill('claude-sonnet-4-5')),
    row('checkbox', /^Pruned/, changes('role=checkbox[name=/^Pruned/]')),
    row('button', 'Preview', shows('[data-testid=ask-plan]')),
    row('checkbox', 'Keep credentials this time', changes('role=checkbox[name=/^Keep/]')),
    row('button', 'Set API key…', does('say')),
    row('button', 'Do not send', hides('[data-testid=ask-plan]')),
    row('button', 'Open replay…', shows('.toast >> text=/has no such files/')),
    row('combobox', 'Provider', changes('role=combobox[name="Provider"]'), choose('OpenAI')),
    row('combobox', 'Action', shows('role=slider[name="Runs each"]'), choose('Compare full and pruned')),
    row('slider', 'Runs each', changes('role=slider[name="Runs each"]'), press('End')),
    row('spinbutton', 'Runs each, value', changes('role=slider[name="Runs each"]'), fill('2')),
  ]),
  onPage('Model, counting', chooseAction, [
    row('slider', 'Max. calls', changes('role=slider[name="Max. calls"]'), press('End')),
    row('spinbutton', 'Max. calls, value', changes('role=slider[name="Max. calls"]'), fill('3')),
  ]),
  onPage('Request', page => page.getByRole('tab', { name: 'Request' }).click(), []),
  {
    ...onPage(
      'Before sending',
      async page => {
        await page.getByRole('tab', { name: 'Model' }).click();
        await page.getByRole('button', { name: 'Preview' }).click();
        await page.getByTestId('ask-plan').waitFor();
      },
      [row('button', 'Send', shows('[data-testid=ask-outcome] >> text=refused the connection'))],
    ),
    // A port without a server, so nothing leaves this machine.
    open: shown =>
      openThroughDoor({
        ...shown,
        file: exampleFile,
        keys: { ANTHROPIC_API_KEY: 'invented-key' },
        settings: {
          'contextInspector.asking.providers': { anthropic: { baseUrl: 'http://127.0.0.1:65534' } },
        },
      }),
  },
];
