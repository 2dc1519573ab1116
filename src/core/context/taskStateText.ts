import { userMessage, type ContextPartitions, type Message } from '../model/contextPartitions';
import type { TaskState } from '../model/taskState';

const compressionEntriesShown = 3;
const actionsShown = 3;

/**
 * The task state as the model reads it (deepstrike-core 0.2.34, TaskState::format_compact). Empty unless there is a goal,
 * a plan or progress.
 */
export function formatCompact(state: TaskState): string {
  if (state.goal === '' && state.plan.length === 0 && state.progress === '') {
    return '';
  }
  const lines = [`[TASK STATE] goal: ${state.goal}`];
  if (state.criteria.length > 0) {
    lines.push(`criteria: ${state.criteria.join(' | ')}`);
  }
  if (state.directives.length > 0) {
    lines.push('active_directives (most recent last):');
    lines.push(...state.directives.map(directive => `  - ${directive}`));
  }
  if (state.plan.length > 0) {
    lines.push('plan:');
    state.plan.forEach((step, index) => {
      const openMark = index === state.currentStep ? 'active' : 'todo';
      lines.push(`  [${step.done ? 'done' : openMark}] ${index + 1}. ${step.label}`);
    });
  }
  if (state.progress !== '') {
    lines.push(`progress: ${state.progress}`);
  }
  if (state.blockedOn.length > 0) {
    lines.push(`blocked_on: ${state.blockedOn.join(', ')}`);
  }
  if (state.scratchpad !== '') {
    lines.push(`scratchpad: ${state.scratchpad}`);
  }
  if (state.compressionLog.length > 0) {
    lines.push('compression_history:');
    for (const { action, summary } of state.compressionLog.slice(-compressionEntriesShown)) {
      lines.push(summary === '' ? `  [${action}]` : `  [${action}] ${summary}`);
    }
  }
  return lines.join('\n');
}

/**
 * One line that points forward: the last action, the next step, the last directive. It repeats the goal only if it has
 * nothing else to say. Absent without a goal.
 */
export function salienceFooter(state: TaskState): string | undefined {
  if (state.goal === '') {
    return undefined;
  }
  const clauses: string[] = [];
  const actions = state.recentActions;
  const lastAction = actions.at(-1);
  if (lastAction !== undefined) {
    clauses.push(`did: ${actions.slice(-actionsShown).map(actionName).join(' → ')}`);
    const repeated = actions.length - 1 - actions.findLastIndex(action => action !== lastAction);
    if (repeated >= 2) {
      clauses.push(
        `STOP: \`${actionName(lastAction)}\` repeated ${repeated}× unchanged — do something different or report`,
      );
    }
  }
  const activeStep = state.currentStep === undefined ? undefined : state.plan[state.currentStep];
  if (state.currentStep !== undefined && activeStep?.done === false) {
    clauses.push(`next: step ${state.currentStep + 1} — ${activeStep.label}`);
  } else if (lastAction !== undefined) {
    clauses.push('next: advance the goal');
  }
  const lastDirective = state.directives.at(-1);
  if (lastDirective !== undefined) {
    clauses.push(`must: ${lastDirective}`);
  }
  return clauses.length === 0 ? `→ focus: ${state.goal}` : `→ ${clauses.join(' · ')}`;
}

/** The last message of a request: task state, signals, footer. Absent if there is no state and no signal. */
export function stateTurn({ taskState, signals }: ContextPartitions): Message | undefined {
  const compact = formatCompact(taskState);
  if (compact === '' && signals.length === 0) {
    return undefined;
  }
  const pieces = [compact, signals.join('\n'), salienceFooter(taskState) ?? ''].filter(piece => piece !== '');
  return userMessage(`${pieces.join('\n\n')}\n\nProceed.`);
}

function actionName(action: string): string {
  const end = action.indexOf('(');
  return end < 0 ? action : action.slice(0, end);
}
