import { arrayAt, isArray, isObject, member, objectAt, stringAt, timeAt } from '../../base/json';
import { dataBlock, otherBlock, schemaBlocks, textBlocks, toolResultBlock } from '../../content/blockFactory';
import { callBlocks } from '../../wire/generic/blocks';
import { answeredCall, type KnownCalls } from '../../content/knownCalls';
import { mediaOfData } from '../../content/media';
import { below, lines, type Place, sourceOf, textAt, textOf } from '../../content/place';
import type { NewBlock } from '../../content/transcriptBuilder';
import type { PromptRole } from '../../model/labels';
import type { DocumentFormat } from '../../reading/format';
import { CaptureTimeline } from '../api/captureTimeline';
import type { WireMessage } from '../../wire/body';
import { readUsage } from '../../wire/usage';
import { taggedPieces, titleOf } from './copilotPrompt';

/** The export of Copilot Chat's debug view: every request with the messages that were sent. */
export const chatReplay: DocumentFormat = {
  kind: 'document',
  id: 'copilot-chat-replay',
  name: 'Copilot chat replay',
  matches: document =>
    stringAt(document, 'exportedAt') !== undefined &&
    arrayAt(document, 'prompts').length > 0 &&
    arrayAt(document, 'prompts').every(prompt => isArray(member(prompt, 'logs'))),
  read({ value, range }, locate, builder) {
    const timeline = new CaptureTimeline(builder);
    builder.agentName = 'GitHub Copilot Chat';
    arrayAt(value, 'prompts').forEach((prompt, promptIndex) => {
      builder.title ??= titleOf(stringAt(prompt, 'prompt'));
      arrayAt(prompt, 'logs').forEach((log, index) => {
        const place = { record: range, path: ['prompts', promptIndex, 'logs', index], locate };
        const kind = stringAt(log, 'kind') ?? 'unknown';
        if (kind === 'request' && objectAt(log, 'requestMessages') !== undefined) {
          addRequest(log, place, timeline);
        } else {
          builder.leaveOut(`${kind} log`, sourceOf(place));
        }
      });
    });
    timeline.finish();
  },
};

function addRequest(log: unknown, place: Place, timeline: CaptureTimeline): void {
  const metadata = objectAt(log, 'metadata');
  const tools = schemaBlocks(member(metadata, 'tools'), below(place, 'metadata', 'tools'));
  const messages = arrayAt(objectAt(log, 'requestMessages'), 'messages').map((message, index) =>
    readMessage(message, below(place, 'requestMessages', 'messages', index), timeline.calls),
  );
  const api = 'GitHub Copilot Chat';
  // Only the text of a reply is recorded; its calls are in the next request.
  const reply = arrayAt(objectAt(log, 'response'), 'message').flatMap((text, index) =>
    typeof text === 'string' && text !== ''
      ? textBlocks(textOf(text, below(place, 'response', 'message', index)), place, 'assistant')
      : [],
  );
  timeline.add({
    request: {
      api,
      complete: true,
      messages:
        tools.length === 0 ? messages : [{ role: 'system', isHead: true, blocks: tools }, ...messages],
      model: stringAt(metadata, 'model'),
    },
    response: reply.length === 0 ? undefined : { api, messages: [{ role: 'assistant', blocks: reply }] },
    line: sourceOf(place).line,
    timestamp: timeAt(metadata, 'startTime'),
    usage: readUsage(member(metadata, 'usage'), 'openaiChat'),
    id: stringAt(log, 'id'),
  });
}

const roles: readonly PromptRole[] = ['system', 'user', 'assistant', 'tool'];

/** A message in prompt-tsx's raw form: roles and kinds of parts are numbers. */
function readMessage(message: unknown, place: Place, calls: KnownCalls): WireMessage {
  const number = member(message, 'role');
  const role = (typeof number === 'number' ? roles[number] : undefined) ?? 'user';
  const content = arrayAt(message, 'content');
  const contentPlace = below(place, 'content');
  const marked: number[] = [];
  const blocks: NewBlock[] = [];
  if (role === 'tool') {
    const callId = stringAt(message, 'toolCallId');
    const texts = content.flatMap((part, index) =>
      stringAt(part, 'text') === undefined ? [] : [textAt(part, below(contentPlace, index), 'text')],
    );
    blocks.push(toolResultBlock(lines(texts), contentPlace, { callId, call: answeredCall(calls, callId) }));
  }
  content.forEach((part, index) => {
    if (member(part, 'cacheType') !== undefined) {
      marked.push(blocks.length - 1);
    } else if (role !== 'tool') {
      blocks.push(...partBlocks(part, role, below(contentPlace, index)));
    }
  });
  blocks.push(...callBlocks(member(message, 'toolCalls'), below(place, 'toolCalls'), calls));
  return { role, blocks, isHead: role === 'system', marked: marked.filter(index => index >= 0) };
}

function partBlocks(part: unknown, role: PromptRole, place: Place): readonly NewBlock[] {
  if (stringAt(part, 'text') !== undefined) {
    const found = textAt(part, place, 'text');
    const at = below(place, 'text');
    return found.content === ''
      ? []
      : role === 'user'
        ? taggedPieces(found, at)
        : textBlocks(found, at, role);
  }
  const image = objectAt(part, 'imageUrl');
  if (stringAt(image, 'url') !== undefined) {
    const data = textAt(image, below(place, 'imageUrl'), 'url');
    return [dataBlock(mediaOfData(data, { isImage: true, name: 'image' }), place, role)];
  }
  // Opaque values are private to a provider, such as signed reasoning.
  const label = isObject(part) ? 'opaque part' : 'unknown content';
  return [{ ...otherBlock(part, place, role), label }];
}
