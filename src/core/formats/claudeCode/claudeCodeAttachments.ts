import type { SourceRange } from '../../model/block';
import { classifyReminder, type TextClass } from '../../content/classifyText';
import { arrayAt, isArray, isObject, member, stringAt, valueAt, type ValuePath } from '../../base/json';
import { anthropicBlocks } from '../../content/anthropicContent';
import { labelOfText } from '../../content/blockLabels';
import type { NewBlock } from '../../content/transcriptBuilder';

const knowledge: TextClass = { kind: 'injected', partition: 'knowledge', provenance: 'system' };
const memoryFile: TextClass = { kind: 'injected', partition: 'knowledge', provenance: 'developer' };
const retrieved: TextClass = { kind: 'injected', partition: 'knowledge', provenance: 'retrieval' };
const signal: TextClass = { kind: 'injected', partition: 'state', provenance: 'system' };
const taskState: TextClass = { kind: 'injected', partition: 'state', provenance: 'memory' };
const queuedPrompt: TextClass = { kind: 'prompt', partition: 'history', provenance: 'user' };

/** What an attachment is, by its kind, and where its text stands on a line that has no `rendered` member. */
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
  ['nested_memory', [memoryFile, ['content', 'content']]],
  ['instructions', [memoryFile, ['content']]],
  ['file', [retrieved, ['content', 'file', 'content']]],
  ['edited_text_file', [retrieved, ['snippet']]],
  ['selected_lines_in_ide', [retrieved, ['content']]],
  ['queued_command', [queuedPrompt, ['prompt']]],
]);

/**
 * The blocks of an attachment line: its rendered texts where the line has them (2.1.186 and later), else the text of
 * the member that its kind is known for. Empty when the model saw nothing of it, or nothing is recorded of what it saw.
 */
export function attachmentBlocks(line: unknown, record: SourceRange, message: number): NewBlock[] {
  const attachment = member(line, 'attachment');
  const type = stringAt(attachment, 'type') ?? 'attachment';
  const base = { message, source: record, contentType: 'text' } as const;
  const [known, inner] = attachmentKinds.get(type) ?? [];
  // Queued between a person's messages are also those of background tasks.
  const ofTask = type === 'queued_command' && stringAt(attachment, 'commandMode') === 'task-notification';
  const textClass = ofTask ? signal : known;
  const owner = { message, record, locate: () => record, calls: new Map(), textClass } as const;
  const rendered = arrayAt(line, 'rendered');
  if (rendered.length > 0) {
    const role = stringAt(line, 'renderedRole') === 'system' ? 'system' : 'user';
    return rendered.flatMap((item, index): NewBlock[] => {
      const path = ['rendered', index, 'content'];
      const whole = member(item, 'content');
      if (typeof whole !== 'string') {
        return anthropicBlocks(whole, { ...owner, role, path });
      }
      const inner = role === 'system' ? insideReminder(whole) : undefined;
      const content = inner === undefined ? whole : whole.slice(inner.start, inner.end);
      return [
        {
          ...base,
          ...(textClass ?? classifyReminder(content)),
          role,
          label: labelOfText(content),
          content,
          text: { kind: 'string', record, path, ...inner },
        },
      ];
    });
  }
  if (textClass === undefined || inner === undefined) {
    return [];
  }
  const path = ['attachment', ...inner];
  const value = valueAt(line, path);
  const shared = { ...base, ...textClass, role: 'user', label: type.replaceAll('_', ' ') } as const;
  if (typeof value === 'string') {
    return value === '' ? [] : [{ ...shared, content: value, text: { kind: 'string', record, path } }];
  }
  if (isArray(value) && value.every(item => typeof item === 'string')) {
    return value.flatMap((item, index) =>
      item === ''
        ? []
        : [{ ...shared, content: item, text: { kind: 'string', record, path: [...path, index] } }],
    );
  }
  if (isArray(value) && value.every(item => /^(text|image|document)$/.test(stringAt(item, 'type') ?? ''))) {
    return anthropicBlocks(value, { ...owner, role: 'user', path });
  }
  return isObject(value) || isArray(value)
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
