import { trimWhitespace } from '../base/unicodeText';

export interface PlanStep {
  readonly label: string;
  readonly done: boolean;
}

/** The effect of a compaction: its tier, and a summary, which is empty if it only removed content. */
export interface CompressionEntry {
  readonly action: string;
  readonly summary: string;
}

/** The agent's current work (deepstrike-core 0.2.34, context/task_state.rs). */
export interface TaskState {
  readonly goal: string;
  readonly criteria: readonly string[];
  readonly plan: readonly PlanStep[];
  /** 0-based index into `plan`; may be out of range. */
  readonly currentStep?: number;
  readonly progress: string;
  readonly scratchpad: string;
  readonly blockedOn: readonly string[];
  /** Standing instructions of the user, newest last, at most 8. */
  readonly directives: readonly string[];
  /** Ids of results that a compaction must keep. Never rendered. */
  readonly preservedRefs: readonly string[];
  /** The calls of each turn as `name(arguments)`, newest last, at most 6. */
  readonly recentActions: readonly string[];
  readonly compressionLog: readonly CompressionEntry[];
}

/** Members that replace those of a task state. A current step can be changed, but not removed. */
export interface TaskUpdate {
  /** Labels of the new plan; every step starts open. */
  readonly plan?: readonly string[];
  readonly currentStep?: number;
  readonly progress?: string;
  readonly scratchpad?: string;
  readonly blockedOn?: readonly string[];
  readonly preservedRefs?: readonly string[];
  readonly directives?: readonly string[];
}

const maximumDirectives = 8;
const maximumRecentActions = 6;

export const emptyTaskState: TaskState = {
  goal: '',
  criteria: [],
  plan: [],
  progress: '',
  scratchpad: '',
  blockedOn: [],
  directives: [],
  preservedRefs: [],
  recentActions: [],
  compressionLog: [],
};

/** Adds a standing instruction as the newest. A repeated one moves to the end. Blank ones are ignored. */
export function recordDirective(state: TaskState, directive: string): TaskState {
  if (trimWhitespace(directive) === '') {
    return state;
  }
  const others = state.directives.filter(known => known !== directive);
  return { ...state, directives: [...others, directive].slice(-maximumDirectives) };
}

/**
 * Adds one turn's actions as the newest. Blank ones are ignored. Repeated ones are kept, because repetition is a
 * finding.
 */
export function noteActions(state: TaskState, actions: string): TaskState {
  if (trimWhitespace(actions) === '') {
    return state;
  }
  return { ...state, recentActions: [...state.recentActions, actions].slice(-maximumRecentActions) };
}

export function logCompression(state: TaskState, action: string, summary: string): TaskState {
  return { ...state, compressionLog: [...state.compressionLog, { action, summary }] };
}

export function applyTaskUpdate(state: TaskState, update: TaskUpdate): TaskState {
  const { plan, directives, ...rest } = update;
  return {
    ...state,
    ...rest,
    ...(plan === undefined ? {} : { plan: plan.map(label => ({ label, done: false })) }),
    ...(directives === undefined ? {} : { directives: directives.slice(-maximumDirectives) }),
  };
}

/** Labels of the steps that are not done. */
export function openSteps(state: TaskState): readonly string[] {
  return state.plan.filter(step => !step.done).map(step => step.label);
}
