import { arrayAt, isArray, isObject, member, stringAt, valueAt, type ValuePath } from '../../base/json';
import { textBlock } from '../../content/blockFactory';
import {
  classifyReminder,
  knowledge,
  memoryFile,
  retrieved,
  signal,
  taskState,
  type TextClass,
  typedPrompt,
} from '../../content/classification';
import { anthropicBlocks } from '../../wire/anthropic/blocks';
import { below, type FoundText, partOfText, textOf } from '../../content/place';
import type { NewBlock } from '../../content/transcriptBuilder';
import type { SourceRange } from '../../model/block';

/** The class of an attachment by its kind, and where a line without a `rendered` member holds its text. */
const attachmentKinds: ReadonlyMap<string, readonly [textClass: TextClass, path?: ValuePath]> = new Map<
  string,
  readonly [TextClass, ValuePath?]
>([
  ['deferred_tools_delta', [knowledge, ['addedLines']]],
  ['deferred_tools_record', [knowledge]],
  ['agent_listing_delta', [knowledge, ['addedLines']]],
  ['skill_listing', [knowledge, ['content']]],
  ['mcp_instructions_delta', [knowledge, ['addedBlocks']]],
  ['hook_additional_context', [signal, ['content']]],
  ['hook_system_message', [signal, ['content']]],
  ['hook_success', [signal, ['content']]],
  ['hook_blocking_error', [signal, ['blockingError', 'blockingError']]],
  ['critical_system_reminder', [signal, ['content']]],
  ['environment', [signal]],
  ['model', [signal]],
  ['date', [signal]],
  ['session_context', [signal]],
  ['remote_session_change', [signal]],
  ['read_truncation_notice', [signal]],
  ['todo_reminder', [taskState, ['content']]],
  ['task_reminder', [taskState, ['content']]],
  ['plan_mode', [taskState]],
  ['auto_mode', [taskState]],
  ['auto_mode_exit', [taskState]],
  // Names a file that was read before a compaction and is too large to be sent again.
  ['compact_file_reference', [signal]],
  ['nested_memory', [memoryFile, ['content', 'content']]],
  ['instructions', [memoryFile, ['content']]],
  ['file', [retrieved, ['content', 'file', 'content']]],
  ['edited_text_file', [retrieved, ['snippet']]],
  ['selected_lines_in_ide', [retrieved, ['content']]],
  ['queued_command', [typedPrompt, ['prompt']]],
]);

/**
 * The blocks of an attachment line: its rendered texts if the line has them (2.1.186 and later), otherwise the text of
 * the member known for its kind. Empty if the model did not see it, or if the seen text is not recorded.
 */
export function attachmentBlocks(line: unknown, record: SourceRange): NewBlock[] {
  const attachment = member(line, 'attachment');
  const type = stringAt(attachment, 'type') ?? 'attachment';
  const [known, inner] = attachmentKinds.get(type) ?? [];
  // Messages of background tasks are queued between a person's messages too.
  const ofTask = type === 'queued_command' && stringAt(attachment, 'commandMode') === 'task-notification';
  const textClass = ofTask ? signal : known;
  const rendered = arrayAt(line, 'rendered');
  if (rendered.length > 0) {
    const role = stringAt(line, 'renderedRole') === 'system' ? 'system' : 'user';
    return rendered.flatMap((item, index): NewBlock[] => {
      const place = { record, path: ['rendered', index, 'content'] };
      const content = member(item, 'content');
      if (typeof content !== 'string') {
        return anthropicBlocks(content, place, role, new Map(), textClass);
      }
      const whole = textOf(content, place);
      const found = role === 'system' ? insideReminder(whole) : whole;
      return [textBlock(found, place, role, textClass ?? classifyReminder(found.content))];
    });
  }
  if (textClass === undefined || inner === undefined) {
    return [];
  }
  const place = { record, path: ['attachment', ...inner] };
  const label = type.replaceAll('_', ' ');
  const labelled = (found: FoundText): NewBlock[] =>
    found.content === '' ? [] : [textBlock(found, place, 'user', textClass, label)];
  const value = valueAt(attachment, inner);
  if (isArray(value) && value.every(item => typeof item === 'string')) {
    return value.flatMap((item, index) => labelled(textOf(item, below(place, index))));
  }
  if (isArray(value) && value.every(item => /^(text|image|document)$/.test(stringAt(item, 'type') ?? ''))) {
    return anthropicBlocks(value, place, 'user', new Map(), textClass);
  }
  return typeof value === 'string' || isObject(value) || isArray(value) ? labelled(textOf(value, place)) : [];
}

/** The text between the tags of a reminder. A message with the role `system` is sent without these tags. */
function insideReminder(whole: FoundText): FoundText {
  const [open, close] = ['<system-reminder>\n', '\n</system-reminder>'];
  const text = whole.content;
  const isOne =
    text.startsWith(open) && text.endsWith(close) && text.indexOf(close) === text.length - close.length;
  return (isOne ? partOfText(whole, open.length, text.length - close.length) : undefined) ?? whole;
}
