import { isObject, stringAt } from '../base/json';
import { translate } from '../base/translate';
import type { Conversation, ConversationPart, ConversationTool, Picture } from '../model/conversation';
import { Gate, type NamedValue, type ValuePart } from '../sensitivity/gate';
import type { SecretScanner } from '../sensitivity/scanner';

/**
 * Removes credentials from all content to send, including names. A part with a credential loses its native form.
 * Reasoning with a credential is left out, because its signature would no longer match.
 */
export async function redactConversation(
  conversation: Conversation,
  scanner: SecretScanner,
): Promise<Conversation> {
  const gate = new Gate(scanner, { remembers: true, partOf: sentPart });
  for (const value of valuesIn(conversation)) {
    await (typeof value === 'string' ? gate.learn(value) : gate.learnJson(JSON.stringify(value ?? null)));
  }
  const redaction = new Redaction(gate);
  const system = await redaction.parts(conversation.system);
  const tools: ConversationTool[] = [];
  for (const tool of conversation.tools) {
    tools.push(await redaction.tool(tool));
  }
  const turns = [];
  for (const turn of conversation.turns) {
    turns.push({ ...turn, parts: await redaction.parts(turn.parts) });
  }
  const notes = await Promise.all(conversation.notes.map(note => gate.text(note)));
  return {
    ...conversation,
    system,
    tools,
    turns,
    notes:
      redaction.changed === 0
        ? notes
        : [
            ...notes,
            translate(
              'Credentials replaced by the name of the rule that found them: {0}.',
              redaction.changed,
            ),
          ],
  };
}

/** Providers accept only valid names of a schema's members, also where the schema lists them. */
function sentPart({ kind, name }: NamedValue): ValuePart {
  return kind === 'name' || name === 'required' ? 'name' : 'text';
}

/** Redacts the parts of one conversation and counts the changes. */
class Redaction {
  changed = 0;

  constructor(private readonly gate: Gate) {}

  async parts(parts: readonly ConversationPart[]): Promise<readonly ConversationPart[]> {
    const redacted: ConversationPart[] = [];
    for (const part of parts) {
      redacted.push(...(await this.part(part)));
    }
    return redacted;
  }

  private async part(part: ConversationPart): Promise<readonly ConversationPart[]> {
    switch (part.kind) {
      case 'text':
      case 'thinking': {
        const text = await this.gate.text(part.text);
        if (!this.count(text !== part.text || (await this.hasSecretInside(part)))) {
          return [part];
        }
        return part.kind === 'thinking' ? [] : [{ ...part, text, native: undefined }];
      }
      case 'result': {
        const text = await this.gate.text(part.text);
        const [callId, name] = [await this.gate.name(part.callId), await this.gate.name(part.name)];
        const pictures = await this.pictures(part.pictures);
        const isChanged =
          text !== part.text ||
          callId !== part.callId ||
          name !== part.name ||
          pictures.length < part.pictures.length ||
          (await this.hasSecretInside(part));
        return [this.count(isChanged) ? { ...part, text, callId, name, pictures, native: undefined } : part];
      }
      case 'call': {
        const input =
          typeof part.input === 'string' ? await this.gate.text(part.input) : await this.value(part.input);
        const [id, name] = [await this.gate.name(part.id), await this.gate.name(part.name)];
        const isChanged =
          input !== part.input || id !== part.id || name !== part.name || (await this.hasSecretInside(part));
        return [this.count(isChanged) ? { ...part, input, id, name, native: undefined } : part];
      }
      case 'picture':
        return this.count((await this.pictures([part.picture])).length === 0) ? [] : [part];
      case 'other':
        return this.count(await this.hasSecretInside(part)) ? [] : [part];
    }
  }

  async tool(tool: ConversationTool): Promise<ConversationTool> {
    const name = await this.gate.name(tool.name);
    const description = await this.gate.text(tool.description);
    const schema = await this.value(tool.schema);
    const isChanged =
      name !== tool.name ||
      description !== tool.description ||
      schema !== tool.schema ||
      (await this.hasSecretInside(tool));
    return this.count(isChanged) && isObject(schema)
      ? { ...tool, name, description, schema, native: undefined }
      : tool;
  }

  private count(isChanged: boolean): boolean {
    this.changed += isChanged ? 1 : 0;
    return isChanged;
  }

  private async value(value: unknown): Promise<unknown> {
    return value === undefined ? value : this.gate.value(value);
  }

  /** The pictures without a secret in their address. */
  private async pictures(pictures: readonly Picture[]): Promise<readonly Picture[]> {
    const kept: Picture[] = [];
    for (const picture of pictures) {
      if (picture.kind === 'data' || (await this.gate.text(picture.url)) === picture.url) {
        kept.push(picture);
      }
    }
    return kept;
  }

  /** True if the native form contains a secret that the part's own text does not. */
  private async hasSecretInside(part: Pick<ConversationPart, 'native'>): Promise<boolean> {
    const readable = readableItem(part);
    return readable !== undefined && (await this.gate.value(readable)) !== readable;
  }
}

/** The native form of a part without encrypted, signed or binary content. */
function readableItem({ native }: Pick<ConversationPart, 'native'>): object | undefined {
  return (
    native &&
    Object.fromEntries(
      Object.entries(native.item).filter(
        ([key, value]) => !opaqueMembers.has(key) || isReadableSource(value) || isReadableText(value),
      ),
    )
  );
}

/**
 * True if the member is one from which Anthropic's API takes a file, as an address or as text (Messages API, content
 * blocks).
 */
function isReadableSource(value: unknown): boolean {
  const type = stringAt(value, 'type');
  return type !== undefined && type !== 'base64';
}

/** In UTF-16 units. */
const shortestData = 100;

/** True if a text is not base64, which is expected for encrypted, signed or binary content. */
function isReadableText(value: unknown): boolean {
  return typeof value === 'string' && (value.length < shortestData || /[^\w+/=-]/.test(value));
}

/** Encrypted or signed members, and pictures. No rule can match them. */
const opaqueMembers: ReadonlySet<string> = new Set([
  'signature',
  'data',
  'encrypted_content',
  'thoughtSignature',
  'source',
  'inlineData',
]);

/** All texts and values, so that a secret found in one place is known in all others. */
function* valuesIn({ system, tools, turns }: Conversation): Generator {
  for (const part of [...system, ...turns.flatMap(({ parts }) => parts)]) {
    yield readableItem(part);
    switch (part.kind) {
      case 'text':
      case 'thinking':
        yield part.text;
        break;
      case 'result':
        yield part.text;
        yield part.name;
        break;
      case 'call':
        yield part.input;
        yield part.name;
        break;
      case 'picture':
      case 'other':
        break;
    }
  }
  for (const tool of tools) {
    const { name, description, schema } = tool;
    yield readableItem(tool);
    yield name;
    yield description;
    yield schema;
  }
}
