import { asks, changes, fill, hides, type Place, press, row, shows } from './rows';

/** The list or the input that VS Code opens in the upper middle. */
const quickInput = '.quick-input-widget';
/** Its dialog for the place of a file. */
const fileDialog = `${quickInput} >> role=button[name="OK"]`;

const drawing = 'canvas';
const panel = (name: string): string => `role=tabpanel[name="${name}"]`;

/** The states of the page on the bundled example, which has every kind of block, a compaction, breaks of the cache and a subagent. */
export const places: readonly Place[] = [
  {
    name: 'Slots',
    reach: ({ webview }) => webview.getByRole('listbox').waitFor(),
    rows: [
      row('button', /^No problems/, shows('text=records were not sent')),
      row('slider', 'Request', changes('[data-testid=total]'), press('Home')),
      row('listbox', 'Slot layout', shows('[data-testid=block-text]'), press('End')),
      row('option', /tokens/, changes('role=listbox'), press('ArrowLeft')),
      row('button', 'Zoom in', changes(drawing)),
      row('button', 'Zoom out', changes(drawing)),
      row('button', /^Readable/, changes(drawing)),
      row('button', /^Fit/, changes(drawing)),
      row('radio', 'Provenance', changes(drawing)),
      row('radio', 'Role', changes(drawing)),
      row('radio', 'Cache', changes(drawing)),
      row('radio', 'Sensitivity', changes(drawing)),
      row('textbox', 'Find blocks', changes(drawing), fill('repository')),
      row('button', 'Export report…', asks(`${quickInput} >> text=Figures only`)),
      row('tab', 'Cache', shows(panel('Cache'))),
      row('tab', 'Prune', shows(panel('Prune'))),
      row('tab', 'Rendered', shows(panel('Rendered'))),
      row('tab', 'Model', shows(panel('Model'))),
      row('tab', 'Block', shows(panel('Block'))),
      row('radio', 'Table', shows('[data-testid=block-table]')),
      row('radio', 'Compaction', shows('[data-testid=compaction]')),
      row('radio', 'Slots', shows('role=listbox')),
    ],
  },
  {
    name: 'Cache',
    reach: ({ webview }) => webview.getByRole('tab', { name: 'Cache' }).click(),
    rows: [
      row('radio', 'As NeMo Relay plans', shows('text=Shown is what NeMo Relay would do')),
      row('radio', 'Best plan', shows('text=Shown is the plan that saves most')),
      row('fold', /^Stability/, shows('details[open] >> text=Stability')),
      row('fold', /^Breakpoints/, shows('details[open] >> text=Breakpoints')),
      row('fold', /^Order of the blocks/, shows('details[open] >> text=Order of the blocks')),
      row('button', /lifetime expired/, shows('[data-testid=cache-break]')),
    ],
  },
  {
    name: 'Prune',
    reach: ({ webview }) => webview.getByRole('tab', { name: 'Prune' }).click(),
    rows: [
      row('slider', 'Protected tokens', changes('[data-testid=freed]'), press('End')),
      row('spinbutton', 'Protected tokens, value', changes('[data-testid=freed]'), fill('30000')),
      row('slider', 'Minimum tokens', changes('role=status[name="What pruning would do"]'), press('End')),
      row('spinbutton', 'Minimum tokens, value', changes('role=status[name="What pruning would do"]'), fill('1')),
      row('button', 'Reset', shows('role=button[name="Reset"][disabled]')),
      row('checkbox', 'Enable pruning', changes('role=status[name="What pruning would do"]')),
      row('button', 'Save to settings', shows('role=button[name="Save to settings"][disabled]')),
      row('checkbox', 'Enable pruning', changes('role=status[name="What pruning would do"]')),
      row('button', 'Save to settings', shows('role=button[name="Save to settings"][disabled]')),
      row('combobox', 'Rule set', shows('role=option[name="katu"]')),
      row('option', 'katu', changes('role=combobox[name="Rule set"]')),
      row('button', 'Reset', shows('role=button[name="Reset"][disabled]')),
      row('combobox', 'Replace outputs by', shows('role=option[name=/beginning/i]')),
      row('option', /beginning/i, changes('[data-testid=freed]')),
      row('slider', 'Max. output characters', changes('[data-testid=freed]'), press('Home')),
      row('spinbutton', 'Max. output characters, value', changes('[data-testid=freed]'), fill('5000')),
      row('combobox', 'Measure thresholds in', shows('role=option[name=/characters/i]')),
      row('option', /characters/i, changes('role=combobox[name="Measure thresholds in"]')),
      row('button', 'Stop protecting skill', hides('role=button[name="Stop protecting skill"]')),
      row('textbox', 'Add a tool', shows('role=button[name="Add"]:not([disabled])'), fill('Bash')),
      row('button', 'Add', shows('role=button[name="Stop protecting Bash"]')),
      row('button', 'Stop protecting Bash', hides('role=button[name="Stop protecting Bash"]')),
      row('button', 'Best moment', shows('[data-testid=prune-search] >> role=button[name=/^Show/]')),
      row('button', 'Best settings', shows('[data-testid=prune-search] >> role=button[name=/^Use/]')),
      row('button', 'Rule sets at this request', shows('role=table[name=/rule set/i]')),
      row('button', 'Export pruned copy…', asks(fileDialog)),
      row('button', /^\d+ .+ −[\d,]+$/, shows(panel('Block'))),
    ],
  },
  {
    name: 'Model',
    reach: ({ webview }) => webview.getByRole('tab', { name: 'Model' }).click(),
    rows: [
      row('combobox', 'Action', shows('role=option[name=/Count/i]')),
      row('option', /Count/i, changes('role=combobox[name="Action"]')),
      row('combobox', 'Provider', shows('role=option[name="Anthropic"]')),
      row('option', 'Anthropic', changes('role=combobox[name="Provider"]')),
      row('textbox', 'Model', changes('role=textbox[name="Model"]'), fill('claude-sonnet-4-5')),
      row('checkbox', /^Pruned/, changes('role=checkbox[name=/^Pruned/]')),
    ],
  },
  {
    name: 'Rendered',
    reach: ({ webview }) => webview.getByRole('tab', { name: 'Rendered' }).click(),
    rows: [],
  },
  {
    name: 'Table',
    reach: ({ webview }) => webview.getByRole('radio', { name: 'Table' }).check(),
    rows: [],
  },
  {
    name: 'Compaction',
    reach: ({ webview }) => webview.getByRole('radio', { name: 'Compaction' }).check(),
    rows: [],
  },
  {
    name: 'Block',
    reach: async ({ webview }) => {
      await webview.getByRole('button', { name: /nordlys-2026-03/ }).first().click();
      await webview.getByTestId('block-text').waitFor();
    },
    rows: [row('button', /^Go to line/, asks('.editor-instance[data-mode-id]'))],
  },
];
