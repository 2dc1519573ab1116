import { arrayAt, stringAt } from '../base/json';
import type { JsonValue } from '../base/jsonValue';
import { takeCodePoints } from '../base/unicodeText';
import { parseExactJson } from '../context/exactJson';
import { valueJson } from '../context/serdeJson';
import type { Block } from '../model/block';
import {
  applyTaskUpdate,
  emptyTaskState,
  logCompression,
  noteActions,
  openSteps,
  recordDirective,
  type TaskState,
} from '../model/taskState';

/** A block of a request with its text. */
export interface TextBlock {
  readonly block: Block;
  readonly text: string;
}

/** Maximum length of a copied prompt or summary, in code points. */
const excerptLength = 200;

/** Maximum length of copied arguments, in code points. */
const argumentsLength = 48;

/** Arguments that upstream leaves out of an action. */
const noArguments: ReadonlySet<string> = new Set(['""', '{}', 'null']);

/**
 * The task state from the blocks of a request, built as upstream's kernel builds it while a session runs. A prompt is
 * the new goal, or a directive if it came while the agent was calling tools. The newest todo list is the plan, the
 * calls of each reply are an action, and a summary is a compaction. Todo lists are not actions.
 */
export function taskStateOf(blocks: readonly TextBlock[]): TaskState {
  let state = emptyTaskState;
  let isWorking = false;
  const replies = new Map<number, string[]>();
  for (const { block, text } of blocks) {
    if (block.role === 'assistant') {
      isWorking = block.kind === 'toolCall';
    }
    if (block.kind === 'prompt') {
      state =
        isWorking && state.goal !== ''
          ? recordDirective(state, excerpt(text))
          : { ...state, goal: excerpt(text) };
    } else if (block.kind === 'summary') {
      state = logCompression(state, 'summary', excerpt(text));
    } else if (block.kind === 'toolCall' && block.partition === 'state') {
      state = withPlan(state, parseArguments(text));
    } else if (block.kind === 'toolCall') {
      const calls = replies.get(block.message) ?? [];
      calls.push(actionOf(block, text));
      replies.set(block.message, calls);
    }
  }
  return [...replies.values()].reduce((noted, calls) => noteActions(noted, calls.join(', ')), state);
}

/** Arguments as JSON, or the text itself if it is not JSON. */
export function parseArguments(text: string): JsonValue {
  try {
    return parseExactJson(text);
  } catch {
    return text;
  }
}

function excerpt(text: string): string {
  return takeCodePoints(text.trim(), excerptLength);
}

function actionOf({ toolName = '' }: Block, text: string): string {
  // Arguments may be a whole file; only their beginning is shown.
  const written = text.length > 20 * argumentsLength ? text : valueJson(parseArguments(text));
  const shown = noArguments.has(written) ? '' : takeCodePoints(written, argumentsLength);
  return `${toolName}(${shown}${shown.length < written.length && shown !== '' ? '…' : ''})`;
}

/** The state with a todo list as its plan. Where no step is marked as active, the first open one is. */
function withPlan(state: TaskState, input: unknown): TaskState {
  const items = [...arrayAt(input, 'todos'), ...arrayAt(input, 'plan')].flatMap(item => {
    const label = stringAt(item, 'content') ?? stringAt(item, 'step');
    return label === undefined ? [] : [{ label, status: stringAt(item, 'status') ?? '' }];
  });
  if (items.length === 0) {
    return state;
  }
  const progress = stringAt(input, 'explanation');
  const opened = applyTaskUpdate(state, {
    plan: items.map(({ label }) => label),
    ...(progress === undefined ? {} : { progress }),
  });
  const plan = opened.plan.map((step, index) => ({ ...step, done: items[index]?.status === 'completed' }));
  const planned = { ...opened, plan };
  const active = items.findIndex(({ status }) => status === 'in_progress');
  const firstOpen = items.findIndex(({ label }) => label === openSteps(planned)[0]);
  const currentStep = active < 0 ? firstOpen : active;
  return currentStep < 0 ? planned : applyTaskUpdate(planned, { currentStep });
}
