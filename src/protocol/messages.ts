import * as v from 'valibot';
import { member, numberAt, stringAt } from '../core/base/json';
import { type ColourMode, colourModes } from '../core/drawing/palette';
import type { ExportForm } from '../core/model/exportForm';
import type { PruneOptions } from '../core/model/pruneConfig';
import { type WasteKind, wasteKinds } from '../core/waste/wasteKinds';
import { type AskNews, askMessage } from './askMessages';
import { type Question, type QuestionName, pageQuestions } from './questions';
import { type Described, count, pruneOptions } from './schema';
import type { Answer, Progress, SessionState, SessionUpdate } from './sessionMessages';
import { exportChoice } from './workerQuestions';

/** What a person does in the first minute and only the page sees. The walkthrough ticks off its steps by these. */
export const firstSteps = ['blockSelected', 'sliderMoved', 'breakSeen'] as const;
export type FirstStep = (typeof firstSteps)[number];

/** A place as links name it. All count from 0, as the command line does. */
const linkedPlace = {
  /** As `inspect --list` numbers them. The main conversation if absent. */
  conversation: v.exactOptional(count),
  /** In the conversation. The newest one if absent. */
  request: v.exactOptional(count),
  /** The position among the blocks of the request. */
  block: v.exactOptional(count),
};
export const shownPlace = v.strictObject({
  ...linkedPlace,
  panel: v.exactOptional(v.picklist(['cache', 'prune'])),
  /** The number of a block in the file, in place of its position: `request` may not carry it. */
  blockNumber: v.exactOptional(count),
});
/** What a page is asked to show. */
export type ShownPlace = Described<typeof shownPlace>;
export type LinkedPlace = Omit<ShownPlace, 'panel' | 'blockNumber'>;

/** The place that the caller of a command wants; the newest request for anything that is no place. */
export function readShownPlace(value: unknown): ShownPlace {
  const parsed = v.safeParse(shownPlace, value);
  return parsed.success ? parsed.output : {};
}

/** What a command or a key of VS Code asks the page to do. */
export type PageTask = 'copyLink' | 'find' | 'showKeys';

/** Acts of the user in the page that only the host can carry out. A new act is an entry here and a case in the host. */
const webviewAct = v.variant('kind', [
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
  v.strictObject({ kind: v.literal('openAsText') }),
  /** Lets the user choose the format of a file that is of none, or that holds nothing in its own. */
  v.strictObject({ kind: v.literal('openAs') }),
  v.strictObject({ kind: v.literal('openExample') }),
  /** Copies a link to a place of the transcript. */
  v.strictObject({ kind: v.literal('copyLink'), ...linkedPlace }),
  /** The colours of the drawing in files that are opened from now on. */
  v.strictObject({ kind: v.literal('chooseColours'), mode: v.picklist(colourModes) }),
  /** Kinds of waste that no list shows from now on. */
  v.strictObject({ kind: v.literal('hideWaste'), kinds: v.array(v.picklist(wasteKinds)) }),
  /** Done for the first time since the page was opened. */
  v.strictObject({ kind: v.literal('step'), step: v.picklist(firstSteps) }),
  v.strictObject({ kind: v.literal('retry') }),
  v.strictObject({ kind: v.literal('cancel') }),
]);
export type WebviewAct = Described<typeof webviewAct>;
export type ExportChoice = Omit<Extract<WebviewAct, { kind: 'export' }>, 'kind' | 'ask'>;

function isQuestionName(name: string | undefined): name is QuestionName {
  return name !== undefined && Object.hasOwn(pageQuestions, name);
}

function isQuestion(value: unknown): value is Question {
  const name = stringAt(value, 'name');
  return isQuestionName(name) && v.is(pageQuestions[name].params, member(value, 'params'));
}

const fromWebviewMessage = v.variant('type', [
  v.object({ type: v.literal('ready') }),
  v.object({ type: v.literal('question'), id: count, question: v.custom<Question>(isQuestion) }),
  v.object({ type: v.literal('act'), act: webviewAct }),
  v.object({ type: v.literal('ask'), ask: askMessage }),
]);
export type FromWebviewMessage = Described<typeof fromWebviewMessage>;

/** A message from a page, or what is known about a refused one. */
export type ReadMessage<Message = FromWebviewMessage> =
  | { readonly ok: true; readonly message: Message }
  /** `id` is the question's, if it has one; `what` names the message for the log. */
  | { readonly ok: false; readonly id: number | undefined; readonly what: string };

/** Reads a message from the page of an editor. */
export function readWebviewMessage(value: unknown): ReadMessage {
  return readMessage(fromWebviewMessage, value);
}

/** Reads a message from a page. Pages show other people's text and are not trusted. */
export function readMessage<Schema extends v.GenericSchema>(
  schema: Schema,
  value: unknown,
): ReadMessage<v.InferOutput<Schema>> {
  const parsed = v.safeParse(schema, value);
  if (parsed.success) {
    return { ok: true, message: parsed.output };
  }
  const type = stringAt(value, 'type');
  const name = stringAt(member(value, 'question'), 'name') ?? stringAt(member(value, type ?? ''), 'kind');
  const what = [type, name].map(word => JSON.stringify(word?.slice(0, 40))).join(' ');
  return { ok: false, id: type === 'question' ? numberAt(value, 'id') : undefined, what };
}

export type ToWebviewMessage =
  | { readonly type: 'progress'; readonly progress: Progress }
  | (SessionState & { readonly fileName: string })
  /** Applies to the previous revision. A page with any other revision gets the whole session. */
  | SessionUpdate
  /** The displayed file name has changed. */
  | { readonly type: 'fileName'; readonly fileName: string }
  /** The colours that were chosen last, in any file. */
  | { readonly type: 'colours'; readonly mode: ColourMode }
  /** Kinds of waste that the user does not want to see, as the settings have them. */
  | { readonly type: 'hiddenWaste'; readonly kinds: readonly WasteKind[] }
  | { readonly type: 'pruneOptions'; readonly options: PruneOptions }
  | { readonly type: 'ask'; readonly news: AskNews }
  /** A command asks for an export of what is visible; the page answers with the act. */
  | { readonly type: 'exportWanted'; readonly form: ExportForm; readonly ask: number }
  /** A link or a command leads to a place. The page goes there as soon as it has a session. */
  | { readonly type: 'show'; readonly place: ShownPlace }
  | { readonly type: 'task'; readonly task: PageTask }
  /** The transcript belongs to a subagent, and this file to the session that started it. */
  | { readonly type: 'parent'; readonly fileName: string }
  /** The file cannot be shown. `canOpenAsText` offers to open it as text, `canOpenAs` in a format of the user's choice. */
  | {
      readonly type: 'failed';
      readonly sentence: string;
      readonly canOpenAsText: boolean;
      readonly canOpenAs?: boolean;
    }
  /** The user cancelled; `retry` opens again. */
  | { readonly type: 'cancelled' }
  /** A message of the page was not understood and is ignored. */
  | { readonly type: 'refused'; readonly sentence: string }
  | Answer;
