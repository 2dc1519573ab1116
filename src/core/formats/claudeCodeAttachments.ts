import { classifyReminder, type TextClass } from '../context/classifyText';
import { arrayAt, isObject, member, stringAt, valueAt } from '../json';
import type { SourceRange, ValuePath } from '../model/transcript';
import { labelOfText } from './labels';
import type { NewBlock } from './transcriptBuilder';

const knowledge: TextClass = { kind: 'injected', partition: 'knowledge', provenance: 'system' };
const memoryFile: TextClass = { kind: 'injected', partition: 'knowledge', provenance: 'developer' };
const retrieved: TextClass = { kind: 'injected', partition: 'knowledge', provenance: 'retrieval' };
const signal: TextClass = { kind: 'injected', partition: 'state', provenance: 'system' };
const taskState: TextClass = { kind: 'injected', partition: 'state', provenance: 'memory' };
const queuedPrompt: TextClass = { kind: 'prompt', partition: 'history', provenance: 'user' };

/** Where the text that the model saw stands in an attachment that has no `rendered` member, and what it is. */
const attachmentTexts: ReadonlyMap<string, readonly [path: ValuePath, textClass: TextClass]> = new Map<
  string,
  readonly [ValuePath, TextClass]
>([
  ['deferred_tools_delta', [['addedLines'], knowledge]],
  ['agent_listing_delta', [['addedLines'], knowledge]],
  ['skill_listing', [['content'], knowledge]],
  ['mcp_instructions_delta', [['addedBlocks'], knowledge]],
  ['hook_additional_context', [['content'], signal]],
  ['hook_system_message', [['content'], signal]],
  ['hook_success', [['content'], signal]],
  ['hook_blocking_error', [['blockingError', 'blockingError'], signal]],
  ['todo_reminder', [['content'], taskState]],
  ['task_reminder', [['content'], taskState]],
  ['nested_memory', [['content', 'content'], memoryFile]],
  ['instructions', [['content'], memoryFile]],
  ['file', [['content', 'file', 'content'], retrieved]],
  ['edited_text_file', [['snippet'], retrieved]],
  ['selected_lines_in_ide', [['content'], retrieved]],
  ['queued_command', [['prompt'], queuedPrompt]],
  ['critical_system_reminder', [['content'], signal]],
]);

/** Attachments that tell by their kind what their rendered text is; others are told by the text. */
const renderedClasses: ReadonlyMap<string, TextClass> = new Map([
  ['skill_listing', knowledge],
  ['deferred_tools_delta', knowledge],
  ['deferred_tools_record', knowledge],
  ['agent_listing_delta', knowledge],
  ['mcp_instructions_delta', knowledge],
  ['instructions', memoryFile],
  ['nested_memory', memoryFile],
  ['file', retrieved],
  ['todo_reminder', taskState],
  ['task_reminder', taskState],
  ['plan_mode', taskState],
]);

/**
 * The blocks of an attachment line: its rendered texts where the line has them (2.1.186 and later), else the text of
 * the member that its kind is known for. Empty when the model saw nothing of it, or nothing is recorded of what it saw.
 */
export function attachmentBlocks(line: unknown, record: SourceRange, message: number): NewBlock[] {
  const attachment = member(line, 'attachment');
  const type = stringAt(attachment, 'type') ?? 'attachment';
  const base = { message, source: record, contentType: 'text' } as const;
  const rendered = arrayAt(line, 'rendered');
  if (rendered.length > 0) {
    const role = stringAt(line, 'renderedRole') === 'system' ? 'system' : 'user';
    return rendered.flatMap((item, index): NewBlock[] => {
      const whole = stringAt(item, 'content');
      if (whole === undefined) {
        return [];
      }
      const path = ['rendered', index, 'content'];
      const inner = role === 'system' ? insideReminder(whole) : undefined;
      const content = inner === undefined ? whole : whole.slice(inner.start, inner.end);
      return [
        {
          ...base,
          ...(renderedClasses.get(type) ?? classifyReminder(content)),
          role,
          label: labelOfText(content),
          content,
          text: { kind: 'string', record, path, ...inner },
        },
      ];
    });
  }
  const known = attachmentTexts.get(type);
  if (known === undefined) {
    return [];
  }
  const [inner, textClass] = known;
  const path = ['attachment', ...inner];
  const value = valueAt(line, path);
  const shared = { ...base, ...textClass, role: 'user', label: type.replaceAll('_', ' ') } as const;
  if (typeof value === 'string') {
    return value === '' ? [] : [{ ...shared, content: value, text: { kind: 'string', record, path } }];
  }
  if (Array.isArray(value)) {
    return value.flatMap((item: unknown, index): NewBlock[] => {
      const content = typeof item === 'string' ? item : stringAt(item, 'text');
      const itemPath = typeof item === 'string' ? [...path, index] : [...path, index, 'text'];
      return content === undefined || content === ''
        ? []
        : [{ ...shared, content, text: { kind: 'string', record, path: itemPath } }];
    });
  }
  return isObject(value)
    ? [{ ...shared, content: JSON.stringify(value), text: { kind: 'json', record, path } }]
    : [];
}

/** What stands between the reminder's tags: a message in the system's name is sent without them. */
function insideReminder(text: string): { readonly start: number; readonly end: number } | undefined {
  const [open, close] = ['<system-reminder>\n', '\n</system-reminder>'];
  return text.startsWith(open) && text.endsWith(close) && text.indexOf(close) === text.length - close.length
    ? { start: open.length, end: text.length - close.length }
    : undefined;
}
