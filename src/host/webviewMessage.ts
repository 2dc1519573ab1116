import * as v from 'valibot';
import { colourModes } from '../core/drawing/palette';
import { exportForms } from '../core/model/exportForm';
import { pruneMeasures, pruneReplacements, pruneRuleSets } from '../core/model/pruneConfig';
import { askForms } from '../protocol/asking';
import type { FromWebviewMessage } from '../protocol/messages';

const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));

const pruneOptions = v.object({
  ruleSet: v.picklist(pruneRuleSets),
  enabled: v.boolean(),
  protectTokens: count,
  minimumTokens: count,
  toolOutputMaxChars: count,
  protectedTools: v.array(v.string()),
  replacement: v.picklist(pruneReplacements),
  measure: v.picklist(pruneMeasures),
  cacheWarmSuffixTokens: count,
});

const question = v.variant('name', [
  v.object({
    name: v.literal('blockText'),
    params: v.object({ block: count, start: count, length: count, reveal: v.boolean() }),
  }),
  v.object({ name: v.literal('rendered'), params: v.object({ request: count }) }),
  v.object({ name: v.literal('stability'), params: v.object({ request: count }) }),
  v.object({ name: v.literal('cacheReport'), params: v.strictObject({}) }),
]);

const act = v.variant('kind', [
  v.object({ kind: v.literal('revealSource'), block: count }),
  v.object({ kind: v.literal('openPath'), block: count }),
  v.object({ kind: v.literal('openSubagent'), id: v.string() }),
  v.object({ kind: v.literal('openParent') }),
  v.object({
    kind: v.literal('savePruneOptions'),
    options: pruneOptions,
  }),
  v.object({
    kind: v.literal('export'),
    form: v.picklist(exportForms),
    request: count,
    options: pruneOptions,
    colour: v.picklist(colourModes),
    ask: v.optional(count),
  }),
  v.object({ kind: v.literal('openAsText') }),
  v.object({ kind: v.literal('retry') }),
  v.object({ kind: v.literal('cancel') }),
]);

const order = v.object({
  form: v.picklist(askForms),
  request: count,
  provider: v.string(),
  model: v.string(),
  prune: v.optional(pruneOptions),
  keepSecrets: v.boolean(),
  times: v.pipe(count, v.minValue(1)),
  question: v.string(),
});

const ask = v.variant('kind', [
  v.object({ kind: v.literal('offer') }),
  v.object({ kind: v.literal('prepare'), order }),
  v.object({ kind: v.literal('send'), plan: count }),
  v.object({ kind: v.literal('cancel') }),
  v.object({ kind: v.literal('setKey'), provider: v.string() }),
  v.object({ kind: v.literal('openReplays') }),
]);

const message: v.GenericSchema<unknown, FromWebviewMessage> = v.variant('type', [
  v.object({ type: v.literal('ready') }),
  v.object({ type: v.literal('question'), id: count, question }),
  v.object({ type: v.literal('act'), act }),
  v.object({ type: v.literal('ask'), ask }),
]);

/** A message of the webview, or undefined for anything else: the page shows other people's text and is not taken at its word. */
export function readWebviewMessage(value: unknown): FromWebviewMessage | undefined {
  const parsed = v.safeParse(message, value);
  return parsed.success ? parsed.output : undefined;
}
