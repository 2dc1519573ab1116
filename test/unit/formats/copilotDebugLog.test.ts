import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { toJson } from '../../../src/core/base/json';
import type { Message, Sent } from '../../fixtures/copilotRecording';
import { type Scenario, scenarios } from '../../fixtures/copilotScenarios';
import { type OpenedTranscript, openTranscriptBytes } from '../../fixtures/openedTranscript';

/** A message as lines: a call and a result are one each, all texts in between another. */
function linesOf({ role, parts }: Message): readonly string[] {
  const lines: string[] = [];
  for (const part of parts) {
    switch (part['type']) {
      case 'tool_call':
        lines.push(`call: ${toJson(part['arguments'])}`);
        break;
      case 'tool_call_response':
        lines.push(`tool: ${String(part['response'])}`);
        break;
      case 'text':
        lines.push(`${role}: ${String(part['content'])}`);
        break;
      default:
        lines.push(`${role}: ${String(part['uri'])}`);
    }
  }
  return lines;
}

function sentLines({ system, tools, messages }: Sent): readonly string[] {
  return [...tools.map(tool => `schema: ${toJson(tool)}`), `system: ${system}`, ...messages.flatMap(linesOf)];
}

/** The blocks of a request in the same form; the pieces of a text are joined again. */
function readLines({ transcript, texts }: OpenedTranscript, blocks: readonly number[]): readonly string[] {
  const lines: { message: number; kind: string; text: string }[] = [];
  for (const number of blocks) {
    const block = transcript.blocks.at(number);
    assert.ok(block);
    const kind = block.kind === 'toolCall' ? 'call' : block.kind === 'toolSchema' ? 'schema' : block.role;
    const last = lines.at(-1);
    const text = texts[number] ?? '';
    if (
      last !== undefined &&
      last.message === block.message &&
      last.kind === kind &&
      kind === 'user' &&
      block.kind !== 'image'
    ) {
      last.text += text;
    } else {
      lines.push({ message: block.message, kind, text });
    }
  }
  return lines.map(({ kind, text }) => `${kind}: ${text}`);
}

async function opened({ recording }: Scenario): Promise<OpenedTranscript> {
  return openTranscriptBytes(recording.lines, { siblings: recording.siblings });
}

describe('the debug log of Copilot Chat', () => {
  for (const scenario of scenarios) {
    const { name, recording, problems = {}, lost = [], lostReplies = [] } = scenario;
    it(`reads ${name}`, async () => {
      const result = await opened(scenario);
      const { transcript } = result;
      assert.equal(transcript.format, 'copilot-debug-log');
      const found = Object.fromEntries(transcript.problems.map(({ kind, count }) => [kind, count]));
      assert.deepEqual(found, problems);
      assert.equal(transcript.requests.length, recording.sent.length);
      const inOrder = [...recording.sent];
      if (name === 'two conversations at once') {
        inOrder.push(...inOrder.splice(1, 1));
      }
      transcript.requests.forEach((request, index) => {
        const sent = inOrder[index];
        assert.ok(sent);
        const { context, length, usage, reply } = request;
        assert.deepEqual(
          { ...usage },
          {
            input: sent.usage.input - sent.usage.cached,
            cacheRead: sent.usage.cached,
            cacheWrite: 0,
            output: sent.usage.output,
          },
        );
        if (!lost.includes(index)) {
          const blocks = (transcript.contexts[context] ?? []).slice(0, length);
          assert.deepEqual(readLines(result, blocks), sentLines(sent), `request ${index}`);
          assert.equal(request.complete, problems['missingRequestContent'] === undefined);
        }
        const answer = reply.filter(number => transcript.blocks.at(number)?.kind !== 'thinking');
        if (!lostReplies.includes(index)) {
          assert.deepEqual(
            readLines(result, answer),
            sent.reply === undefined ? [] : linesOf(sent.reply),
            `reply ${index}`,
          );
        }
      });
    });
  }
});
