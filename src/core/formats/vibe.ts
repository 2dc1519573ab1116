import { isArray, isObject, member, objectAt, stringAt } from '../base/json';
import { partBlock, schemaBlocks } from '../content/blockFactory';
import { clientText } from '../content/classification';
import { contentBlocks, readChatMessage, roleNamed } from '../wire/generic/blocks';
import { below, eachAt, flatMapAt, sourceOf } from '../content/place';
import { linesWithFiles, siblingJson } from '../reading/decoders/linesWithFiles';
import type { DocumentFormat } from '../reading/format';
import { Thread } from './common/thread';

/**
 * The members of a message (mistral-vibe 2.18.4, LLMMessage). Other programs do not use an id of this name in messages
 * of the chat API.
 */
const messageMembers: ReadonlySet<string> = new Set([
  'role',
  'content',
  'images',
  'injected',
  'reasoning_content',
  'reasoning_state',
  'reasoning_signature',
  'reasoning_message_id',
  'tool_calls',
  'name',
  'tool_call_id',
  'message_id',
  'user_display_content',
]);

/** Mistral Vibe's sessions, `~/.vibe/logs/session/<name>/messages.jsonl`, with the prompt and tools in `meta.json`. */
export const vibeFiles = linesWithFiles({
  id: 'mistral-vibe-files',
  matches: first =>
    isObject(first) &&
    stringAt(first, 'message_id') !== undefined &&
    roleNamed(stringAt(first, 'role')) !== undefined &&
    Object.keys(first).every(key => messageMembers.has(key)),
  key: 'vibeMessages',
  gather: async siblings => ({ meta: await siblingJson(siblings, 'meta.json') }),
});

export const vibe: DocumentFormat = {
  kind: 'document',
  id: 'mistral-vibe',
  name: 'Mistral Vibe session',
  matches: document => isArray(member(document, 'vibeMessages')),
  read({ value, range }, locate, builder) {
    builder.agentName = 'Mistral Vibe';
    const meta = objectAt(value, 'meta');
    builder.sessionId = stringAt(meta, 'session_id');
    builder.workingDirectory = stringAt(objectAt(meta, 'environment'), 'working_directory');
    const model = stringAt(objectAt(meta, 'config'), 'active_model') ?? stringAt(meta, 'model');
    const root = { record: range, locate, path: [] };
    const thread = new Thread(builder);
    // Both are the last state.
    const prompt = member(meta, 'system_prompt');
    const promptPlace = below(root, 'meta', 'system_prompt');
    const tools = member(meta, 'tools_available');
    thread.add({ role: 'system', blocks: schemaBlocks(tools, below(root, 'meta', 'tools_available')) });
    thread.add(
      isObject(prompt)
        ? readChatMessage(prompt, promptPlace, thread.calls, { role: 'system' })
        : { role: 'system', blocks: contentBlocks(prompt, promptPlace, 'system', thread.calls) },
    );
    const complete = isArray(tools) && prompt !== undefined;
    eachAt(value, root, 'vibeMessages', (message, place) => {
      if (roleNamed(stringAt(message, 'role')) === undefined) {
        builder.leaveOutUnknown(sourceOf(place), 'a record of an unknown kind');
        return;
      }
      const textClass = member(message, 'injected') === true ? clientText : undefined;
      const read = readChatMessage(message, place, thread.calls, { textClass });
      const images = flatMapAt(message, place, 'images', (image, at) => {
        const source = objectAt(image, 'source');
        const [part, own] = source === undefined ? [image, at] : [source, below(at, 'source')];
        const data = stringAt(part, 'data');
        const media = { type: 'image', data, mime_type: member(image, 'mime_type') };
        return partBlock(data === undefined ? part : media, own, 'user');
      });
      thread.addRecorded(
        { ...read, id: stringAt(message, 'message_id'), blocks: [...read.blocks, ...images] },
        { line: sourceOf(place).line, model, complete },
      );
    });
    if (objectAt(meta, 'stats') !== undefined) {
      builder.leaveOut('token counts of the whole session', range);
    }
    builder.title = stringAt(meta, 'title') ?? builder.firstPrompt;
  },
};
