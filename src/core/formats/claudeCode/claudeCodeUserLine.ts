import { arrayAt, isArray, type JsonObject, member, objectAt, stringAt } from '../../base/json';
import { textBlock } from '../../content/blockFactory';
import {
  classifyInjectedText,
  clientText,
  developerText,
  type TextClass,
} from '../../content/classification';
import { literalText } from '../../content/place';
import type { NewBlock } from '../../content/transcriptBuilder';
import type { SourceRange } from '../../model/block';

/**
 * The class of a line that the client wrote in the user's name: recognised by its text, otherwise a developer's
 * template.
 */
export function metaClass(line: unknown, content: unknown): TextClass | undefined {
  if (member(line, 'isMeta') !== true) {
    return undefined;
  }
  const text =
    typeof content === 'string'
      ? content
      : (stringAt(arrayAt(member(line, 'message'), 'content')[0], 'text') ?? '');
  return classifyInjectedText(text) ?? developerText;
}

export function hasToolResult(content: unknown): boolean {
  return isArray(content) && content.some(item => stringAt(item, 'type') === 'tool_result');
}

/** True if a tool result names tools whose schemas the next request carries. */
export function loadsTools(content: unknown): boolean {
  return (
    isArray(content) &&
    content.some(item => arrayAt(item, 'content').some(part => stringAt(part, 'type') === 'tool_reference'))
  );
}

/** The client sends this text after such a result (Claude Code 2.1.330) but does not write it to any line. */
export function toolsLoaded(record: SourceRange): NewBlock {
  return textBlock(literalText('Tool loaded.'), { record, path: [] }, 'user', clientText);
}

/** The path in a progress line to the subagent's line. */
export const subagentPath = ['data', 'message'] as const;

/** The subagent's line inside a progress line, in the form of the subagent's own lines. */
export function subagentLine(progress: unknown): JsonObject | undefined {
  const data = objectAt(progress, 'data');
  const line = objectAt(data, 'message');
  const agentId = stringAt(data, 'agentId');
  const type = stringAt(line, 'type');
  return agentId === undefined ||
    stringAt(data, 'type') !== 'agent_progress' ||
    (type !== 'assistant' && type !== 'user') ||
    objectAt(line, 'message') === undefined
    ? undefined
    : { ...line, isSidechain: true, agentId };
}
