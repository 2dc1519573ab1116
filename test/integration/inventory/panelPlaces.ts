import { asks, changes, fill, hides, type Place, press, type Row, row, shows } from './rows';
import { fileDialog, openTheExample, shareLevels } from './workbench';

const effectOfPruning = 'role=status[name="What pruning would do"]';
const savedToSettings = 'role=button[name="Save to settings"][disabled=true]';
const isReset = 'role=button[name="Reset"][disabled=true]';

const inPanel = (name: string, reach: Place['reach'], rows: readonly Row[]): Place => ({
  name,
  frame: 'webview',
  open: openTheExample,
  reach,
  rows,
});

/** The tabs beside the drawing of the bundled example, which has every kind of block, a compaction, a subagent, and lost its cache. */
export const panelPlaces: readonly Place[] = [
  inPanel('Cache', ({ webview }) => webview.getByRole('tab', { name: 'Cache' }).click(), [
    row('radio', 'As NeMo Relay plans', shows('text=Shown is what NeMo Relay would do')),
    row('radio', 'Best plan', shows('text=Shown is the plan that saves most')),
    row('fold', /^What stays the same/, shows('details[open] >> text=What stays the same')),
    row('fold', /^Breakpoints/, shows('details[open] >> text=Breakpoints')),
    row('fold', /^Order of the blocks/, shows('details[open] >> text=Order of the blocks')),
    row('button', /idle too long/, shows('[data-testid=cache-break]')),
  ]),
  inPanel('Prune', ({ webview }) => webview.getByRole('tab', { name: 'Prune' }).click(), [
    row('slider', 'Keep newest', changes('[data-testid=freed]'), press('End')),
    row('spinbutton', 'Keep newest, value', changes('[data-testid=freed]'), fill('30000')),
    row('slider', 'Only if it frees', changes(effectOfPruning), press('End')),
    row('spinbutton', 'Only if it frees, value', changes(effectOfPruning), fill('1')),
    row('button', 'Reset', shows(isReset)),
    row('checkbox', 'Clear old results', changes(effectOfPruning)),
    row('button', 'Save to settings', shows(savedToSettings)),
    row('checkbox', 'Clear old results', changes(effectOfPruning)),
    row('button', 'Save to settings', shows(savedToSettings)),
    row('combobox', 'Rule', shows('role=option[name="katu"]')),
    row('option', /^(katu|oh-my-pi|microcompact|duplicates|opencode)$/, changes('role=combobox[name="Rule"]'), press('End')),
    row('button', 'Reset', shows(isReset)),
    row('combobox', 'Put in place', shows('role=option[name=/beginning/i]')),
    row('option', /beginning|notice/i, changes('[data-testid=freed]'), press('ArrowDown')),
    row('slider', 'Characters kept', changes('[data-testid=freed]'), press('Home')),
    row('spinbutton', 'Characters kept, value', changes('[data-testid=freed]'), fill('5000')),
    row('combobox', 'Measure in', shows('role=option[name=/characters/i]')),
    row('option', /^(Tokens|Characters.*)$/, changes('role=combobox[name="Measure in"]'), press('ArrowDown')),
    row('button', 'Allow clearing skill', hides('role=button[name="Allow clearing skill"]')),
    row('textbox', 'Add a tool', hides('role=button[name="Add"][disabled=true]'), fill('Bash')),
    row('button', 'Add', shows('role=button[name="Allow clearing Bash"]')),
    row('button', 'Allow clearing Bash', hides('role=button[name="Allow clearing Bash"]')),
    row('button', 'Best moment', changes('[data-testid=prune-search]')),
    row('button', 'Best settings', changes('[data-testid=prune-search]')),
    row('button', 'Rule sets at this request', shows('role=table[name=/rule set/i]')),
    row('button', 'Export pruned copy…', asks(shareLevels)),
    row('button', /^\d+ .+ −[\d,]+$/, shows('role=tabpanel[name="Block"]')),
  ]),
  inPanel('Model', ({ webview }) => webview.getByRole('tab', { name: 'Model' }).click(), [
    row('textbox', 'Model', changes('role=textbox[name="Model"]'), fill('claude-sonnet-4-5')),
    row('checkbox', /^Pruned/, changes('role=checkbox[name=/^Pruned/]')),
    row('button', 'Show what would be sent', shows('[data-testid=ask-plan]')),
    row('button', 'Set API key…', asks('.quick-input-widget >> text=API Key for Anthropic')),
    row('button', 'Do not send', hides('[data-testid=ask-plan]')),
    row('button', 'Open replay…', asks(fileDialog)),
    row('combobox', 'Action', shows('role=option[name=/^Probe/]')),
    row('option', /^(Replay|Compare|Count|Probe|Ask) /, changes('role=combobox[name="Action"]'), press('ArrowDown')),
    row('combobox', 'Provider', shows('role=option[name="Anthropic"]')),
    row('option', /^(Detect from model|Anthropic|OpenAI|Google Gemini|llama\.cpp|Ollama)/, changes('role=combobox[name="Provider"]'), press('ArrowDown')),
  ]),
  inPanel('Request', ({ webview }) => webview.getByRole('tab', { name: 'Request' }).click(), []),
];
