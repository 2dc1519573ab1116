import { arrayAt, isArray, member, stringAt, toJson } from '../../src/core/base/json';

/** The texts that an agent sends of its own. */
export interface OwnParts {
  readonly system: readonly string[];
  /** The JSON of each tool. */
  readonly tools: readonly string[];
  /** The agent's own texts in the conversation: the situation, its tools and skills. */
  readonly notes: readonly string[];
}

/** The beginnings of texts that agents add to the first prompt. */
const noteBeginnings = /^<(?:environment_context|session_context|system-reminder)>/;

/** The instruction files and the repository of the user, which agents add in the same form. */
const isOfUser = /^.{0,200}(?:instructions are shown below|# gitStatus)/s;

/**
 * An agent's own parts of the first request of a session, whatever the API calls them. What opens the request in the role
 * of the system or the developer is its system prompt.
 */
export function ownPartsOf(body: unknown): OwnParts {
  const messages = [
    ...arrayAt(body, 'messages'),
    ...arrayAt(body, 'input'),
    ...arrayAt(body, 'contents'),
  ].filter(message => stringAt(message, 'type') !== 'additional_tools');
  const isSystem = (message: unknown): boolean =>
    /^(?:system|developer)$/.test(stringAt(message, 'role') ?? '');
  const first = messages.findIndex(message => !isSystem(message));
  const opening = messages.slice(0, Math.max(0, first));
  const rest = messages.slice(Math.max(0, first));
  return {
    system: [
      ...['system', 'systemInstruction', 'instructions'].flatMap(name => textsOf(member(body, name))),
      ...opening.flatMap(contentOf),
    ],
    tools: toolsOf(body).map(tool => toJson(tool)),
    notes: rest.flatMap(message =>
      isSystem(message)
        ? contentOf(message)
        : contentOf(message).filter(text => noteBeginnings.test(text) && !isOfUser.test(text)),
    ),
  };
}

export function toolsOf(body: unknown): readonly unknown[] {
  const additional = arrayAt(body, 'input').filter(item => stringAt(item, 'type') === 'additional_tools');
  return [...arrayAt(body, 'tools'), ...additional.flatMap(item => arrayAt(item, 'tools'))];
}

function contentOf(message: unknown): readonly string[] {
  return textsOf(member(message, 'content') ?? member(message, 'parts'));
}

function textsOf(value: unknown): readonly string[] {
  if (typeof value === 'string') {
    return [value];
  }
  return isArray(value) ? value.flatMap(textsOf) : textsIn(member(value, 'text') ?? member(value, 'parts'));
}

const textsIn = (value: unknown): readonly string[] => (value === undefined ? [] : textsOf(value));
