import { arrayAt, isObject, member, objectAt, stringAt, timeAt } from '../../base/json';
import { schemaBlock, textBlocks, toolCallBlock, toolResultBlock } from '../../content/blockFactory';
import { parseDataUrl, readImageInfo } from '../../content/imageInfo';
import type { KnownCall } from '../../content/knownCalls';
import { type Place, below, lines, sourceOf, textOf } from '../../content/place';
import type { NewBlock } from '../../content/transcriptBuilder';
import type { PromptRole } from '../../model/labels';
import type { DocumentFormat } from '../../reading/format';
import { CaptureTimeline } from '../api/captureTimeline';
import type { WireMessage } from '../api/wire';
import { readUsage } from '../common/usage';
import { taggedPieces } from './copilotPrompt';

/** What Copilot Chat's debug view exports: every request with the messages that were sent. */
export const chatReplay: DocumentFormat = {
  kind: 'document',
  id: 'copilot-chat-replay',
  name: 'Copilot chat replay',
  matches: document =>
    stringAt(document, 'exportedAt') !== undefined &&
    arrayAt(document, 'prompts').length > 0 &&
    arrayAt(document, 'prompts').every(prompt => Array.isArray(member(prompt, 'logs'))),
  read({ value, range }, locate, builder) {
    const timeline = new CaptureTimeline(builder);
    const calls = new Map<string, KnownCall>();
    builder.agentName = 'GitHub Copilot Chat';
    arrayAt(value, 'prompts').forEach((prompt, promptIndex) => {
      const words = stringAt(prompt, 'prompt')?.replace(/\s+/g, ' ').trim() ?? '';
      builder.title ??= words === '' ? undefined : words.slice(0, 120);
      arrayAt(prompt, 'logs').forEach((log, index) => {
        const place = { record: range, path: ['prompts', promptIndex, 'logs', index], locate };
        const kind = stringAt(log, 'kind') ?? 'unknown';
        if (kind !== 'request' || objectAt(log, 'requestMessages') === undefined) {
          builder.leaveOut(`${kind} log`, sourceOf(place));
          return;
        }
        addRequest(log, place, timeline, calls);
      });
    });
    timeline.finish();
    return builder.build(this.id);
  },
};

function addRequest(
  log: unknown,
  place: Place,
  timeline: CaptureTimeline,
  calls: Map<string, KnownCall>,
): void {
  const metadata = objectAt(log, 'metadata');
  const model = stringAt(metadata, 'model');
  const tools = arrayAt(metadata, 'tools').map((tool, index) =>
    schemaBlock(tool, below(place, 'metadata', 'tools', index)),
  );
  const messages = arrayAt(objectAt(log, 'requestMessages'), 'messages').map((message, index) =>
    readMessage(message, below(place, 'requestMessages', 'messages', index), calls),
  );
  const request = {
    api: 'GitHub Copilot Chat',
    complete: true,
    messages:
      tools.length === 0 ? messages : [{ role: 'system' as const, isHead: true, blocks: tools }, ...messages],
    model,
  };
  // Only the text of a reply is kept; its calls stand in the request after it.
  const replied = arrayAt(objectAt(log, 'response'), 'message').flatMap((text, index) =>
    typeof text === 'string' && text !== ''
      ? textBlocks(textOf(text, below(place, 'response', 'message', index)), place, 'assistant')
      : [],
  );
  timeline.add({
    request,
    response:
      replied.length === 0
        ? undefined
        : { api: request.api, messages: [{ role: 'assistant', blocks: replied }] },
    line: sourceOf(place).line,
    timestamp: timeAt(metadata, 'startTime'),
    usage: readUsage(member(metadata, 'usage'), 'openaiChat'),
    id: stringAt(log, 'id'),
  });
}

const roles: readonly PromptRole[] = ['system', 'user', 'assistant', 'tool'];

/** A message in prompt-tsx's raw form: roles and kinds of parts are numbers. */
function readMessage(message: unknown, place: Place, calls: Map<string, KnownCall>): WireMessage {
  const number = member(message, 'role');
  const role = (typeof number === 'number' ? roles[number] : undefined) ?? 'user';
  const content = arrayAt(message, 'content');
  const marked: number[] = [];
  const blocks: NewBlock[] = [];
  if (role === 'tool') {
    const callId = stringAt(message, 'toolCallId');
    const texts = content.flatMap((part, index) => {
      const text = stringAt(part, 'text');
      return text === undefined ? [] : [textOf(text, below(place, 'content', index, 'text'))];
    });
    const call = callId === undefined ? undefined : calls.get(callId);
    blocks.push(toolResultBlock(lines(texts), below(place, 'content'), { callId, call }));
  }
  content.forEach((part, index) => {
    if (member(part, 'cacheType') !== undefined) {
      marked.push(blocks.length - 1);
    } else if (role !== 'tool') {
      blocks.push(...partBlocks(part, role, below(place, 'content', index)));
    }
  });
  arrayAt(message, 'toolCalls').forEach((call, index) => {
    const called = objectAt(call, 'function');
    blocks.push(
      toolCallBlock(
        {
          toolName: stringAt(called, 'name') ?? 'unknown',
          callId: stringAt(call, 'id'),
          input: member(called, 'arguments'),
          place: below(place, 'toolCalls', index, 'function', 'arguments'),
        },
        calls,
      ),
    );
  });
  return { role, blocks, isHead: role === 'system', marked: marked.filter(index => index >= 0) };
}

function partBlocks(part: unknown, role: PromptRole, place: Place): readonly NewBlock[] {
  const text = stringAt(part, 'text');
  if (text !== undefined) {
    const at = below(place, 'text');
    return text === ''
      ? []
      : role === 'user'
        ? taggedPieces(text, at)
        : textBlocks(textOf(text, at), at, role);
  }
  const url = stringAt(objectAt(part, 'imageUrl'), 'url');
  if (url !== undefined) {
    const start = parseDataUrl(url)?.start ?? 0;
    const content = url.slice(start);
    const size = readImageInfo(content);
    const path = [...place.path, 'imageUrl', 'url'];
    return [
      {
        role,
        contentType: 'image',
        kind: 'image',
        provenance: 'user',
        partition: 'history',
        label: size === undefined ? 'image' : `image ${size.width} × ${size.height}`,
        image: { ...size },
        content,
        text: {
          kind: 'string',
          record: place.record,
          path,
          ...(start === 0 ? {} : { start, end: url.length }),
        },
        source: sourceOf(place),
      },
    ];
  }
  // Opaque values are a provider's own, such as signed reasoning.
  return [
    {
      role,
      contentType: 'text',
      kind: 'other',
      provenance: 'system',
      partition: 'history',
      label: isObject(part) ? 'opaque part' : 'unknown content',
      source: sourceOf(place),
      ...textOf(part, place),
    },
  ];
}
