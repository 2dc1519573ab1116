import * as v from 'valibot';
import { colourModes } from '../core/drawing/palette';
import type { SessionSummary } from '../core/model/columns';
import { exportForms } from '../core/model/exportForm';
import { type WasteKind, wasteKinds } from '../core/waste/wasteKinds';
import { askMessage, askNews, type AskNews } from './askMessages';
import type { ColumnUpdate } from './columnUpdate';
import type { PackedColumns } from './packedColumns';
import { fromHost, type FromPage, type NewsOf, type PageContract, type ToPage } from './page';
import { pageQuestions } from './questions';
import { count, type Described, pruneOptions } from './schema';
import type { Progress } from './sessionMessages';
import { linkedPlace, shownPlace } from './shownPlace';
import { exportChoice } from './workerQuestions';

/** Actions of the user's first minutes that only the page sees. They tick off the steps of the walkthrough. */
export const firstSteps = ['blockSelected', 'sliderMoved', 'breakSeen'] as const;
export type FirstStep = (typeof firstSteps)[number];

/** Tasks that a command or a key of VS Code gives to the page. */
const pageTasks = ['copyLink', 'find', 'handOff', 'showKeys'] as const;
export type PageTask = (typeof pageTasks)[number];

const pending = v.exactOptional(fromHost<'measuring' | undefined>());

/** User actions in the page that only the host can carry out. A new action is an entry here and a case in the host. */
const acts = v.variant('kind', [
  v.strictObject({ kind: v.literal('revealSource'), block: count }),
  v.strictObject({ kind: v.literal('openPath'), block: count }),
  v.strictObject({ kind: v.literal('openSubagent'), id: v.string() }),
  v.strictObject({ kind: v.literal('openParent') }),
  v.strictObject({ kind: v.literal('savePruneOptions'), options: pruneOptions }),
  /** Asks for a name and writes a file for the visible request and options. */
  v.strictObject({
    kind: v.literal('export'),
    ...exportChoice,
    /** The number of `exportWanted` if a command asked for the export. */
    ask: v.optional(count),
  }),
  /** Hands off what the model had in the visible request, or everything up to the end of its conversation. */
  v.strictObject({ kind: v.literal('handOff'), request: count, isWhole: v.boolean() }),
  v.strictObject({ kind: v.literal('openAsText') }),
  /** Lets the user choose the format of a file whose format was not recognised, or found nothing. */
  v.strictObject({ kind: v.literal('openAs') }),
  v.strictObject({ kind: v.literal('openExample') }),
  /** Copies a link to a place of the transcript. */
  v.strictObject({ kind: v.literal('copyLink'), ...linkedPlace }),
  /** The colours of the drawing for files that are opened from now on. */
  v.strictObject({ kind: v.literal('chooseColours'), mode: v.picklist(colourModes) }),
  /** Kinds of waste that are hidden in all lists from now on. */
  v.strictObject({ kind: v.literal('hideWaste'), kinds: v.array(v.picklist(wasteKinds)) }),
  /** The list of findings has been open. */
  v.strictObject({ kind: v.literal('looked') }),
  /** An action that happened for the first time since the page was opened. */
  v.strictObject({ kind: v.literal('step'), step: v.picklist(firstSteps) }),
  /** Asks a model, or stops asking. */
  v.strictObject({ kind: v.literal('askModel'), ask: askMessage }),
  v.strictObject({ kind: v.literal('retry') }),
  v.strictObject({ kind: v.literal('cancel') }),
]);
export type InspectorAct = Described<typeof acts>;
export type ExportChoice = Omit<Extract<InspectorAct, { kind: 'export' }>, 'kind' | 'ask'>;

/** The host's messages to the page. */
const news = v.variant('type', [
  v.object({ type: v.literal('progress'), progress: fromHost<Progress>() }),
  v.object({
    type: v.literal('session'),
    fileName: v.string(),
    revision: count,
    summary: fromHost<SessionSummary>(),
    columns: fromHost<PackedColumns>(),
    pending,
  }),
  /** Applies to the previous revision. A page with any other revision gets the whole session. */
  v.object({
    type: v.literal('update'),
    revision: count,
    summary: fromHost<Partial<SessionSummary>>(),
    columns: fromHost<ColumnUpdate>(),
    pending,
  }),
  /** The displayed file name has changed. */
  v.object({ type: v.literal('fileName'), fileName: v.string() }),
  /** The colours chosen last, in any file. */
  v.object({ type: v.literal('colours'), mode: v.picklist(colourModes) }),
  /** Kinds of waste that the settings hide. */
  v.object({ type: v.literal('hiddenWaste'), kinds: fromHost<readonly WasteKind[]>() }),
  /** The list of findings has never been open, in any file. */
  v.object({ type: v.literal('neverLooked') }),
  v.object({ type: v.literal('pruneOptions'), options: pruneOptions }),
  v.object({ type: v.literal('ask'), news: v.custom<AskNews>(value => v.is(askNews, value)) }),
  /** A command requests an export of the visible content. The page answers with the act. */
  v.object({ type: v.literal('exportWanted'), form: v.picklist(exportForms), ask: count }),
  /** A link or a command leads to a place. The page goes there when it has a session. */
  v.object({ type: v.literal('show'), place: shownPlace }),
  v.object({ type: v.literal('task'), task: v.picklist(pageTasks) }),
  /** The transcript belongs to a subagent. This file is its parent session. */
  v.object({ type: v.literal('parent'), fileName: v.string() }),
  /**
   * The file cannot be shown. `canOpenAsText` offers to open it as text, `canOpenAs` in a format of the user's choice.
   */
  v.object({
    type: v.literal('failed'),
    sentence: v.string(),
    canOpenAsText: v.boolean(),
    canOpenAs: v.exactOptional(v.boolean()),
  }),
  /** The user cancelled; `retry` opens again. */
  v.object({ type: v.literal('cancelled') }),
]);

/** The page of an editor. */
export const inspectorPage = { questions: pageQuestions, acts, news } as const satisfies PageContract;
export type FromInspector = FromPage<typeof inspectorPage>;
export type InspectorNews = NewsOf<typeof inspectorPage>;
export type ToInspector = ToPage<typeof inspectorPage>;
