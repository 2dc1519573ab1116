import * as v from 'valibot';
import { exportForms } from '../core/model/exportForm';
import { fromHost } from './page';
import { count, type Described } from './schema';
import { sessionDeeds } from './sessionsPage';
import { shownPlace } from './shownPlace';
import { usageParts } from './usageParts';

/**
 * The messages between the local server and the script that stands in for VS Code in a page. They carry the messages of
 * the page's own contract, unread.
 */

/** Longer than any text that a person types, in UTF-16 units. */
const longestText = 10_000;
const text = v.pipe(v.string(), v.maxLength(longestText));

/** Commands of the frame around a page. VS Code has them in its menus and its command palette. */
export const doorCommand = v.variant('kind', [
  v.strictObject({ kind: v.literal('export'), form: v.picklist(exportForms) }),
  v.strictObject({
    kind: v.literal('task'),
    task: v.picklist(['copyLink', 'find', 'handOff', 'showKeys']),
  }),
  v.strictObject({ kind: v.literal('openAsText') }),
  v.strictObject({ kind: v.literal('compare') }),
  v.strictObject({ kind: v.literal('show'), place: shownPlace }),
  /** Lets the user choose a transcript, or shows the example. */
  v.strictObject({ kind: v.literal('open'), what: v.picklist(['any', 'example']) }),
  v.strictObject({ kind: v.literal('usage'), part: v.picklist(usageParts) }),
  /** The menu of a row in the list of sessions. */
  v.strictObject({
    kind: v.literal('session'),
    id: count,
    deed: v.picklist([...sessionDeeds, 'compare']),
  }),
]);
export type DoorCommand = Described<typeof doorCommand>;

/** From the browser. */
export const fromDoor = v.variant('type', [
  v.strictObject({ type: v.literal('page'), message: v.unknown() }),
  /** The page was hidden, and is visible again. */
  v.strictObject({ type: v.literal('seen') }),
  /** The answer to a question to the user: the number of a button or of a choice, or a text. Absent if it was closed. */
  v.strictObject({
    type: v.literal('answered'),
    id: count,
    answer: v.exactOptional(v.union([count, text])),
  }),
  /** The text that the user has typed so far. `problem` answers. */
  v.strictObject({ type: v.literal('typed'), id: count, text }),
  v.strictObject({ type: v.literal('command'), command: doorCommand }),
]);
export type FromDoor = Described<typeof fromDoor>;

const choices =
  fromHost<readonly { readonly label: string; readonly description?: string; readonly detail?: string }[]>();

/** Questions and messages for the user. `end` takes one back. */
const shown = [
  v.object({
    type: v.literal('say'),
    id: count,
    kind: v.picklist(['information', 'warning', 'error']),
    sentence: v.string(),
    buttons: v.array(v.string()),
  }),
  /** `choices` adds more while it is being filled. */
  v.object({
    type: v.literal('choose'),
    id: count,
    title: v.string(),
    placeholder: v.string(),
    choices,
    isFilling: v.boolean(),
  }),
  v.object({ type: v.literal('text'), id: count, title: v.string(), prompt: v.string() }),
  v.object({ type: v.literal('longText'), id: count, title: v.string(), text: v.string() }),
  v.object({
    type: v.literal('progress'),
    id: count,
    title: v.string(),
    isQuiet: v.boolean(),
    canCancel: v.boolean(),
  }),
] as const;

/** To the browser. All texts are plain. */
export const toDoor = v.variant('type', [
  ...shown,
  v.object({ type: v.literal('page'), message: v.unknown() }),
  /** The answer is 1 if the text was copied. */
  v.object({ type: v.literal('copy'), id: count, text: v.string() }),
  v.object({ type: v.literal('title'), title: v.string() }),
  v.object({ type: v.literal('choices'), id: count, choices, isFilling: v.boolean() }),
  v.object({ type: v.literal('problem'), id: count, text: v.string(), problem: v.string() }),
  v.object({ type: v.literal('progressed'), id: count, percent: v.number(), message: v.string() }),
  v.object({ type: v.literal('end'), id: count }),
  v.object({ type: v.literal('download'), address: v.string(), name: v.string() }),
  /** Copies the address of a page of the server, as this browser has it. */
  v.object({ type: v.literal('copyLink'), address: v.string() }),
  /** Shows another page of the server, instead of this one or in a new tab. */
  v.object({ type: v.literal('go'), address: v.string(), isBeside: v.boolean() }),
]);
export type ToDoor = v.InferOutput<typeof toDoor>;

/** A question or a message for the user. */
export type Shown = v.InferOutput<(typeof shown)[number]>;
