import { millisecondsAt, objectAt, stringAt } from '../../base/json';

export function isContent(part: unknown): boolean {
  const type = stringAt(part, 'type');
  return type === 'text' || type === 'reasoning' || type === 'tool';
}

/** True if an aborted reply with this part stays in the conversation. */
export function isLasting(part: unknown): boolean {
  const type = stringAt(part, 'type');
  return type !== 'step-start' && type !== 'reasoning';
}

export function isAborted(info: unknown): boolean {
  return stringAt(objectAt(info, 'error'), 'name') === 'MessageAbortedError';
}

/** The parts of each request: older versions kept all requests of a turn in one message. */
export function stepsOf<Part extends { readonly part: unknown }>(parts: readonly Part[]): readonly Part[][] {
  const steps: Part[][] = [[]];
  for (const part of parts) {
    if (stringAt(part.part, 'type') === 'step-start' && steps.at(-1)?.some(isFinish) === true) {
      steps.push([]);
    }
    steps.at(-1)?.push(part);
  }
  return steps;
}

function isFinish({ part }: { readonly part: unknown }): boolean {
  return stringAt(part, 'type') === 'step-finish';
}

export function startOf(parts: readonly unknown[]): number | undefined {
  for (const part of parts) {
    const start =
      millisecondsAt(objectAt(part, 'time'), 'start') ??
      millisecondsAt(objectAt(objectAt(part, 'state'), 'time'), 'start');
    if (start !== undefined) {
      return start;
    }
  }
  return undefined;
}
