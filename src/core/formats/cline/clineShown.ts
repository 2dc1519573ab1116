import { member, millisecondsAt, stringAt } from '../../base/json';
import { textBlock, textBlocks, thinkingBlock, toolCallBlock } from '../../content/blockFactory';
import { replyText, resultText } from '../../content/classification';
import { derivedValue } from '../../wire/derivedValue';
import { below, type Place, sourceOf, textAt } from '../../content/place';
import type { NewBlock, TranscriptBuilder } from '../../content/transcriptBuilder';
import type { PromptRole } from '../../model/labels';
import type { RequestDraft } from '../common/history';
import { Thread } from '../common/thread';
import { readUsage, withCost } from '../../wire/usage';

/** The role of an entry, by its kind. Other kinds belong to the interface. */
const roles: ReadonlyMap<string, PromptRole> = new Map([
  ['task', 'user'],
  ['user_feedback', 'user'],
  ['text', 'assistant'],
  ['reasoning', 'assistant'],
  ['tool', 'assistant'],
  ['command', 'assistant'],
  ['use_mcp_server', 'assistant'],
  ['browser_action', 'assistant'],
  ['completion_result', 'assistant'],
  ['command_output', 'tool'],
  ['mcp_server_response', 'tool'],
  ['browser_action_result', 'tool'],
]);

/**
 * Reads `ui_messages.json` if the history next to it is missing: every call with its usage, and the prompts, replies
 * and results that the interface shows. This is less than was sent.
 */
export function readShownTask(entries: readonly unknown[], root: Place, builder: TranscriptBuilder): void {
  const thread = new Thread(builder);
  let draft: RequestDraft | undefined;
  let reply: number[] = [];
  let last = '';
  builder.agentName = 'Cline';
  builder.addProblem('missingRequestContent', 1);
  entries.forEach((entry, index) => {
    const place = below(root, index);
    const source = sourceOf(place);
    const kind = stringAt(entry, 'say') ?? stringAt(entry, 'ask') ?? '';
    const timestamp = millisecondsAt(entry, 'ts');
    if (kind === 'api_req_started') {
      const shown = derivedValue('json', stringAt(entry, 'text') ?? '');
      const usage = withCost(readUsage(shown, 'clineShown'), member(shown, 'cost'));
      reply = [];
      draft = thread.open({ line: source.line, timestamp, usage }, reply);
      builder.leaveOut('token counts of a call in the interface', source);
      return;
    }
    const role = roles.get(kind);
    const text = stringAt(entry, 'text') ?? '';
    // A question is first shown as a text and then asked. A growing reply is shown in parts.
    if (role === undefined || text === '' || text === last || member(entry, 'partial') === true) {
      builder.leaveOut(`${kind === '' ? 'message' : kind} in the interface`, source);
      return;
    }
    last = text;
    const numbers = thread.add({ role, blocks: blocksOf(kind, role, entry, place), timestamp });
    if (role === 'assistant' && draft !== undefined) {
      reply.push(...numbers);
    }
  });
  builder.title = builder.firstPrompt;
}

function blocksOf(kind: string, role: PromptRole, entry: unknown, place: Place): readonly NewBlock[] {
  const found = textAt(entry, place, 'text');
  switch (kind) {
    case 'reasoning':
      return [thinkingBlock(found, place)];
    case 'text':
    case 'completion_result':
      return [textBlock(found, place, role, replyText)];
    case 'task':
    case 'user_feedback':
      return textBlocks(found, place, role);
    default:
      return role === 'tool'
        ? [textBlock(found, place, role, resultText)]
        : [
            toolCallBlock(
              {
                toolName: stringAt(derivedValue('json', found.content), 'tool') ?? kind,
                callId: undefined,
                input: found.content,
                place: below(place, 'text'),
                callPlace: place,
              },
              new Map(),
            ),
          ];
  }
}
