import { arrayAt, isArray, objectAt, parseJson, stringAt } from '../../base/json';
import { schemaBlocks, textBlocks } from '../../content/blockFactory';
import { systemPrompt } from '../../content/classification';
import type { KnownCalls } from '../../content/knownCalls';
import { type FoundText, literalText, type Place } from '../../content/place';
import type { NewBlock } from '../../content/transcriptBuilder';
import { siblingJson } from '../../reading/decoders/linesWithFiles';
import type { SiblingFiles } from '../../reading/format';
import type { WholeReply, WholeResults } from './modelCalls';
import { beforeCut, type Said, saidIn } from './otelMessages';

/** A turn of the session's transcript: the user's prompt and the replies to it. */
interface Turn {
  readonly prompt: string;
  readonly replies: unknown[];
}

/**
 * The files next to a debug log: system prompts and tools in separate files, and the session's transcript with complete
 * texts. Their texts are kept in memory, because blocks can refer only to the file that is read.
 */
export class DebugLogFiles implements WholeResults {
  private readonly contents = new Map<string, string>();
  private readonly heads = new Map<string, readonly NewBlock[]>();
  private readonly results = new Map<string, string>();
  private readonly turns: Turn[] = [];
  /** The current turn of the transcript while the log is read. */
  private turn = -1;
  /** Number of replies of this turn read from the log so far. */
  private replies = 0;

  /** Reads the files. A missing or damaged file is left out. */
  static async beside(siblings: SiblingFiles): Promise<DebugLogFiles> {
    const files = new DebugLogFiles();
    for (const name of await siblings.list('.')) {
      if (/^(?:system_prompt|tools)_\d+\.json$/.test(name)) {
        const content = stringAt(await siblingJson(siblings, name), 'content');
        if (content !== undefined) {
          files.contents.set(name, content);
        }
      }
    }
    const [folder] = siblings.folders;
    const path =
      siblings.fileName === 'main.jsonl'
        ? `../../transcripts/${folder ?? ''}.jsonl`
        : `../transcripts/${siblings.fileName}`;
    const bytes = await siblings.read(path);
    files.readTranscript(bytes === undefined ? '' : new TextDecoder().decode(bytes));
    return files;
  }

  /** The blocks of a system prompt; `undefined` if there is no such file. */
  system(file: string, place: Place): readonly NewBlock[] | undefined {
    return this.once(file, content => {
      const parts = parseJson(content);
      const texts = isArray(parts) ? parts.flatMap(part => stringAt(part, 'content') ?? []) : [content];
      return texts.flatMap(text => textBlocks(literalText(text), place, 'system', undefined, systemPrompt));
    });
  }

  /** The blocks of a list of tools; `undefined` if there is no such file. */
  tools(file: string, place: Place): readonly NewBlock[] | undefined {
    return this.once(file, content => {
      const tools = parseJson(content);
      return isArray(tools) ? schemaBlocks(tools, place).map(asLiteral) : undefined;
    });
  }

  /** Reads a file once: most requests name the same files as the previous request. */
  private once(
    file: string,
    make: (content: string) => readonly NewBlock[] | undefined,
  ): readonly NewBlock[] | undefined {
    const known = this.heads.get(file);
    const content = this.contents.get(file);
    const blocks = known ?? (content === undefined ? undefined : make(content));
    if (blocks !== undefined) {
      this.heads.set(file, blocks);
    }
    return blocks;
  }

  /** Moves to the turn with this prompt. The log may have only the beginning of the prompt. */
  enterTurn(prompt: string): FoundText | undefined {
    const begin = beforeCut(prompt);
    const next = this.turns.findIndex(
      (turn, index) =>
        (index > this.turn || this.turn === this.turns.length) &&
        (begin === prompt ? turn.prompt === prompt : turn.prompt.startsWith(begin)),
    );
    this.turn = next < 0 ? this.turns.length : next;
    this.replies = 0;
    return next < 0 ? undefined : literalText(this.turns[next]?.prompt ?? '');
  }

  /**
   * The next reply of the turn, if the transcript has it.
   * @param written the truncated reply in the log: `[{role, parts}]`; `undefined` if the log has the complete reply
   */
  nextReply(written: unknown, place: Place): WholeReply | undefined {
    const replies = this.turns[this.turn]?.replies ?? [];
    const data =
      written === undefined
        ? undefined
        : [replies[this.replies], ...replies].find(reply => isBegunBy(reply, written));
    this.replies += 1;
    const reasoning = stringAt(data, 'reasoningText');
    return data === undefined
      ? undefined
      : {
          said: calls => saidAgain(data, place, calls),
          reasoning: reasoning === undefined ? undefined : literalText(reasoning),
        };
  }

  result(callId: string): FoundText | undefined {
    const found = this.results.get(plainId(callId));
    return found === undefined ? undefined : literalText(found);
  }

  private readTranscript(text: string): void {
    for (const line of text.split('\n')) {
      const event = parseJson(line);
      const data = objectAt(event, 'data');
      switch (stringAt(event, 'type') ?? '') {
        case 'user.message':
          this.turns.push({ prompt: stringAt(data, 'content') ?? '', replies: [] });
          break;
        case 'assistant.message':
          if (this.turns.length === 0) {
            this.turns.push({ prompt: '', replies: [] });
          }
          this.turns.at(-1)?.replies.push(data);
          break;
        case 'tool.execution_complete': {
          const result = stringAt(objectAt(data, 'result'), 'content');
          const callId = stringAt(data, 'toolCallId');
          if (result !== undefined && callId !== undefined) {
            this.results.set(plainId(callId), result);
          }
          break;
        }
        default:
      }
    }
  }
}

/** The original id of a call. VS Code makes ids unique with a number at the end. */
function plainId(callId: string): string {
  return callId.replace(/__vscode-\d+$/, '');
}

/** True if the log has the beginning of this reply of the transcript. */
function isBegunBy(data: unknown, written: unknown): boolean {
  const parts = arrayAt({ written }, 'written').flatMap(message => arrayAt(message, 'parts'));
  const texts = parts.flatMap(part =>
    stringAt(part, 'type') === 'text' ? [beforeCut(stringAt(part, 'content') ?? '')] : [],
  );
  const names = parts.flatMap(part =>
    stringAt(part, 'type') === 'tool_call' ? [stringAt(part, 'name')] : [],
  );
  const requested = arrayAt(data, 'toolRequests').map(request => stringAt(request, 'name'));
  return (
    data !== undefined &&
    texts.length + names.length > 0 &&
    (stringAt(data, 'content') ?? '').startsWith(texts[0] ?? '') &&
    names.every((name, index) => name === undefined || name === requested[index])
  );
}

/** A reply of the transcript, in the form that the log uses for replies. */
function saidAgain(data: unknown, place: Place, calls: KnownCalls): readonly Said[] {
  const content = stringAt(data, 'content') ?? '';
  const parts = [
    ...(content === '' ? [] : [{ type: 'text', content }]),
    ...arrayAt(data, 'toolRequests').map(request => ({
      type: 'tool_call',
      id: stringAt(request, 'toolCallId'),
      name: stringAt(request, 'name'),
      arguments: parseJson(stringAt(request, 'arguments') ?? ''),
    })),
  ];
  const decoded = { value: [{ role: 'assistant', parts }], place, isCut: false, length: undefined };
  return saidIn(decoded, calls, 'assistant').map(({ value, message }) => ({
    value,
    message: { ...message, blocks: message.blocks.map(asLiteral) },
  }));
}

function asLiteral(block: NewBlock): NewBlock {
  return { ...block, text: { kind: 'literal', text: block.content } };
}
