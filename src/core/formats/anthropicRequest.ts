import {
  arrayAt,
  countAt,
  isArray,
  isObject,
  member,
  numberAt,
  objectAt,
  stringAt,
  type JsonObject,
} from '../json';
import type { RecordedUsage } from '../model/transcript';
import {
  anthropicBlocks,
  anthropicItemBlocks,
  systemBlocks,
  toolSchemaBlock,
  type KnownCall,
} from './anthropicContent';
import type { DocumentFormat } from './format';
import { isAnthropicRequest } from './requestFamily';
import type { NewBlock } from './transcriptBuilder';

/** The body of a request to Anthropic's Messages API: one request whose whole context is on record. */
export const anthropicRequest: DocumentFormat = {
  kind: 'document',
  id: 'anthropic-request',
  name: 'Anthropic Messages request',
  matches: document =>
    isObject(document) &&
    isArray(document['messages']) &&
    document['messages'].every(isMessage) &&
    isAnthropicRequest(document),
  read: (record, locate, builder) => {
    const document = record.value;
    const calls = new Map<string, KnownCall>();
    const context: number[] = [];
    const breakpoints: number[] = [];
    builder.agentName = 'Anthropic Messages API';
    const add = (blocks: readonly NewBlock[], marked: boolean): void => {
      for (const block of blocks) {
        context.push(builder.addBlock(block));
      }
      if (marked && blocks.length > 0) {
        breakpoints.push(context.length - 1);
      }
    };

    // Wire order of the cached prefix: tools, system, messages.
    const head = { message: builder.addMessage({ role: 'system' }), record: record.range, locate };
    arrayAt(document, 'tools').forEach((tool, index) => {
      add([toolSchemaBlock(tool, ['tools', index], { ...head, path: ['tools'] })], hasMark(tool));
    });
    const system = member(document, 'system');
    systemBlocks(system, { ...head, path: ['system'] }).forEach((block, index) => {
      add([block], isArray(system) && hasMark(system[index]));
    });
    arrayAt(document, 'messages').forEach((message, index) => {
      const role = stringAt(message, 'role');
      const content = member(message, 'content');
      const owner = {
        role: role === 'assistant' || role === 'system' ? role : 'user',
        message: builder.addMessage({ role: role === 'assistant' || role === 'system' ? role : 'user' }),
        record: record.range,
        locate,
        calls,
      } as const;
      const path = ['messages', index, 'content'];
      if (!isArray(content)) {
        add(anthropicBlocks(content, { ...owner, path }), false);
        return;
      }
      content.forEach((item, itemIndex) => {
        // One item at a time, so that its mark falls on its own last block.
        add(anthropicItemBlocks(item, [...path, itemIndex], { ...owner, path }), hasMark(item));
      });
    });
    if (hasMark(document) && context.length > 0) {
      // Automatic caching: the provider marks the last block itself.
      breakpoints.push(context.length - 1);
    }
    builder.title = builder.blocks.find(({ kind }) => kind === 'prompt')?.label;

    const model = stringAt(document, 'model');
    const usage = readUsage(objectAt(document, 'usage'));
    builder.requests.push({
      context: builder.startContext(context),
      length: context.length,
      thread: 0,
      reply: [],
      complete: true,
      breakpoints: [...new Set(breakpoints)],
      line: record.range.line,
      ...(model === undefined ? {} : { model }),
      ...(usage === undefined ? {} : { usage }),
    });
    return builder.build(anthropicRequest.id);
  },
};

function isMessage(message: unknown): boolean {
  const role = stringAt(message, 'role');
  return role === 'user' || role === 'assistant' || role === 'system';
}

function hasMark(item: unknown): boolean {
  return objectAt(item, 'cache_control') !== undefined;
}

/** Anthropic's usage object: the three input parts exclude each other. `undefined` when there is none. */
export function readUsage(usage: JsonObject | undefined): RecordedUsage | undefined {
  if (usage === undefined || numberAt(usage, 'input_tokens') === undefined) {
    return undefined;
  }
  const reasoning = numberAt(objectAt(usage, 'output_tokens_details'), 'thinking_tokens');
  return {
    input: countAt(usage, 'input_tokens'),
    cacheRead: countAt(usage, 'cache_read_input_tokens'),
    cacheWrite: countAt(usage, 'cache_creation_input_tokens'),
    output: countAt(usage, 'output_tokens'),
    ...(reasoning === undefined ? {} : { reasoning }),
    ...cacheLifetime(objectAt(usage, 'cache_creation')),
  };
}

function cacheLifetime(written: JsonObject | undefined): { readonly cacheLifetime?: number } {
  if (countAt(written, 'ephemeral_1h_input_tokens') > 0) {
    return { cacheLifetime: 3600 };
  }
  return countAt(written, 'ephemeral_5m_input_tokens') > 0 ? { cacheLifetime: 300 } : {};
}
