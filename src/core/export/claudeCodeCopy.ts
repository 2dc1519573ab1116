import { arrayAt, isArray, isObject, member, objectAt, stringAt, type ValuePath } from '../base/json';
import type { JsonEdit } from '../base/jsonEdits';
import { hashJson, messageHashes } from '../formats/claudeCode/claudeCodeRequests';
import type { OpenRecordEditor, PrunedResults, RecordEditor } from './recordEditor';
import { deepest, textOfOutput, toolResultEdits } from './toolResults';

/**
 * Claude Code's session files. A line's `message` is the sent content; `toolUseResult` next to it is the program's own
 * copy of the same output. Request records refer to messages by hash, so they must be updated when a message changes.
 */
export const claudeCodeCopy: OpenRecordEditor = pruned => new ClaudeCodeEditor(pruned);

class ClaudeCodeEditor implements RecordEditor {
  /** The new hash of every message that has changed. */
  private readonly hashes = new Map<string, string>();
  private readonly threads = new Map<string, OpenTurn>();
  private usesRequestRecords = false;

  constructor(private readonly pruned: PrunedResults) {}

  prune(value: unknown): readonly JsonEdit[] {
    const edits = toolResultEdits(value, this.pruned);
    return edits.length === 0 ? edits : [...edits, ...this.mirrorEdits(value)];
  }

  private mirrorEdits(value: unknown): readonly JsonEdit[] {
    const texts = arrayAt(objectAt(value, 'message'), 'content').flatMap(item => {
      const text = textOfOutput(member(item, 'content'));
      const replacement =
        text === undefined ? undefined : this.pruned.replacementOf(stringAt(item, 'tool_use_id') ?? '', text);
      return text === undefined || replacement === undefined ? [] : [{ text, replacement }];
    });
    return copiesOf(member(value, 'toolUseResult'), texts, ['toolUseResult']);
  }

  relink(before: unknown, after: unknown): readonly JsonEdit[] {
    switch (stringAt(before, 'type') ?? '') {
      case 'assistant':
        this.readReply(before, after);
        return [];
      case 'user':
        this.readUser(before, after);
        return [];
      case 'system':
        if (stringAt(before, 'subtype') === 'compact_boundary') {
          this.endTurn(before);
        }
        return [];
      case 'api-request-shape':
        this.usesRequestRecords = true;
        return this.relinkHash('shapeHash', before, hashesOfShape(before), hashesOfShape(after));
      case 'api-request-blob':
        return this.relinkHash('hash', before, hashesOfBlob(before), hashesOfBlob(after));
      case 'api-request':
        this.endTurn(before);
        return this.relinkRequest(before);
      default:
        return [];
    }
  }

  /** The lines of a reply, one for each content block, are one message. */
  private readReply(before: unknown, after: unknown): void {
    const message = objectAt(before, 'message');
    if (member(before, 'isApiErrorMessage') === true || stringAt(message, 'model') === '<synthetic>') {
      return;
    }
    const id = stringAt(message, 'id');
    let turn = this.turnOf(before);
    if (turn.reply === undefined || turn.reply !== id) {
      this.endTurn(before);
      turn = this.turnOf(before);
      turn.reply = id;
    }
    turn.said.before.push(...contentOf(before));
    turn.said.after.push(...contentOf(after));
  }

  private readUser(before: unknown, after: unknown): void {
    if (member(before, 'isVisibleInTranscriptOnly') === true && member(before, 'isCompactSummary') !== true) {
      return;
    }
    this.turnOf(before).run.push({ before: contentOf(before), after: contentOf(after) });
  }

  /**
   * Computes hashes for the messages since the last request: one for each line, and one for all lines as one message.
   */
  private endTurn(value: unknown): void {
    const { said, run } = this.turnOf(value);
    this.threads.delete(threadOf(value));
    if (!this.usesRequestRecords) {
      return;
    }
    this.remember('assistant', said);
    run.forEach(line => this.remember('user', line));
    this.remember('user', {
      before: run.flatMap(line => line.before),
      after: run.flatMap(line => line.after),
    });
  }

  private remember(role: string, { before, after }: Pair): void {
    const changed = messageHashes(role, after);
    messageHashes(role, before).forEach((hash, form) => {
      const now = changed[form];
      if (now !== undefined && now !== hash) {
        this.hashes.set(hash, now);
      }
    });
  }

  /** Updates a record that contains its own hash, if the hash is the known one. */
  private relinkHash(
    key: string,
    value: unknown,
    before: readonly string[],
    after: readonly string[],
  ): readonly JsonEdit[] {
    const hash = stringAt(value, key) ?? '';
    const now = after[before.indexOf(hash)];
    if (now === undefined || now === hash) {
      return [];
    }
    this.hashes.set(hash, now);
    return [{ kind: 'replace', path: [key], json: JSON.stringify(now) }];
  }

  private relinkRequest(value: unknown): readonly JsonEdit[] {
    const known = (hash: unknown): string | undefined =>
      typeof hash === 'string' ? this.hashes.get(hash) : undefined;
    const shape = known(member(value, 'shapeHash'));
    return [
      ...(shape === undefined
        ? []
        : [{ kind: 'replace', path: ['shapeHash'], json: JSON.stringify(shape) } as const]),
      ...arrayAt(value, 'tail').flatMap((hash, index): JsonEdit[] => {
        const now = known(hash);
        return now === undefined
          ? []
          : [{ kind: 'replace', path: ['tail', index], json: JSON.stringify(now) }];
      }),
    ];
  }

  private turnOf(value: unknown): OpenTurn {
    const thread = threadOf(value);
    const turn = this.threads.get(thread) ?? {
      reply: undefined,
      said: { before: [], after: [] },
      run: [],
    };
    this.threads.set(thread, turn);
    return turn;
  }
}

/** Content of one message, before and after the change. */
interface Pair {
  readonly before: readonly unknown[];
  readonly after: readonly unknown[];
}

interface OpenTurn {
  /** The id of the reply whose lines are being read. */
  reply: string | undefined;
  readonly said: { readonly before: unknown[]; readonly after: unknown[] };
  readonly run: Pair[];
}

function threadOf(value: unknown): string {
  // Request records name the agent without the mark.
  return stringAt(value, 'agentId') ?? (member(value, 'isSidechain') === true ? 'sidechain' : '');
}

function contentOf(value: unknown): readonly unknown[] {
  const content = member(objectAt(value, 'message'), 'content');
  return isArray(content) ? content : [{ type: 'text', text: content }];
}

function hashesOfShape(value: unknown): readonly string[] {
  const shape = objectAt(value, 'shape');
  return shape === undefined ? [] : [hashJson(shape)];
}

function hashesOfBlob(value: unknown): readonly string[] {
  const message = objectAt(value, 'message');
  return messageHashes(stringAt(message, 'role') ?? '', member(message, 'content'));
}

/** Shorter strings of the program's copy are names and states. In UTF-16 units. */
const shortestCopy = 200;

/** Replaces the strings in a value that repeat one of the texts. */
function copiesOf(
  value: unknown,
  texts: readonly { readonly text: string; readonly replacement: string }[],
  path: ValuePath,
): readonly JsonEdit[] {
  if (typeof value === 'string') {
    const found = texts.find(({ text }) => value === text || repeats(value, text));
    return found === undefined || value.length <= found.replacement.length
      ? []
      : [{ kind: 'replace', path, json: JSON.stringify(found.replacement) }];
  }
  if (isArray(value) && path.length <= deepest) {
    return value.flatMap((item, index) => copiesOf(item, texts, [...path, index]));
  }
  return isObject(value) && path.length <= deepest
    ? Object.keys(value).flatMap(key => copiesOf(value[key], texts, [...path, key]))
    : [];
}

const linesLookedAt = 20;

/**
 * True if most lines of a copy are also in the text. The copy of a file has no line numbers, and the copy of a
 * command's output may be longer or shorter than the sent text.
 */
function repeats(copy: string, text: string): boolean {
  if (copy.length < shortestCopy) {
    return false;
  }
  const lines = copy.split('\n').filter(line => line.trim() !== '');
  const step = Math.max(1, Math.floor(lines.length / linesLookedAt));
  const looked = lines.filter((_, index) => index % step === 0).slice(0, linesLookedAt);
  const shared = looked.filter(line => text.includes(line.trim())).length;
  return looked.length > 0 && shared * 2 >= looked.length;
}
