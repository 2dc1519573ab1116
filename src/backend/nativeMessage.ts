import { type JsonObject, toJson } from '../core/base/json';
import type { ContextBackendResponse, ContextMessage, ResponseType } from '../core/model/contextBackend';
import type { Conversation, ConversationPart } from '../core/model/conversation';
import type { Protocol } from '../core/model/protocol';
import type { PromptRole } from '../core/model/labels';
import type { TextDelta } from '../core/wire/writing/dialect';
import { dialects } from '../core/wire/writing/dialects';

/** A message of any protocol, in its own provider's form. Its content is untrusted until it is checked. */
export class NativeMessage implements ContextMessage<NativeMessage> {
  constructor(
    readonly protocol: Protocol,
    readonly native: JsonObject,
  ) {}

  /** `tool` for a message that contains only results. */
  role(): PromptRole {
    const role = this.turns()[0]?.role ?? 'user';
    const parts = this.parts();
    return role === 'user' && parts.length > 0 && parts.every(({ kind }) => kind === 'result')
      ? 'tool'
      : role;
  }

  preserveReasoning(): boolean {
    return dialects[this.protocol].keepsReasoning(this.native);
  }

  withoutReasoning(): NativeMessage {
    return new NativeMessage(this.protocol, dialects[this.protocol].withoutReasoning(this.native));
  }

  withRole(role: PromptRole): NativeMessage {
    return new NativeMessage(this.protocol, dialects[this.protocol].withRole(this.native, role));
  }

  turns(): Conversation['turns'] {
    return dialects[this.protocol].read(this.native);
  }

  parts(): readonly ConversationPart[] {
    return this.turns().flatMap(({ parts }) => parts);
  }

  /**
   * True if it answers a call. A message with only results has the role `tool`; other texts may follow in the same
   * message.
   */
  hasResult(): boolean {
    return this.parts().some(({ kind }) => kind === 'result');
  }

  /** Everything that a tokenizer can count. Pictures and sound cannot be counted from their data. */
  texts(): readonly string[] {
    return this.parts().flatMap(part => {
      switch (part.kind) {
        case 'text':
        case 'thinking':
        case 'result':
          return part.text === '' ? [] : [part.text];
        case 'call':
          return [part.name, typeof part.input === 'string' ? part.input : toJson(part.input)];
        case 'picture':
        case 'other':
          return [];
      }
    });
  }
}

/** A whole response, or one event of a stream, in the provider's form. */
export class NativeResponse implements ContextBackendResponse {
  constructor(
    readonly protocol: Protocol,
    readonly native: JsonObject,
  ) {}

  responseType(): ResponseType {
    const { thinking, content } = this.texts();
    if (thinking === undefined || content === undefined) {
      return thinking !== undefined ? 'reasoning' : content !== undefined ? 'content' : 'empty';
    }
    // Several servers set the unused member to an empty text.
    if (thinking === '') {
      return content === '' ? 'empty' : 'content';
    }
    return content === '' ? 'reasoning' : 'reasoningAndContent';
  }

  reasoningContent(): string | undefined {
    return this.texts().thinking;
  }

  content(): string | undefined {
    return this.texts().content;
  }

  /** The message of a whole response; `undefined` for an event, and for an empty response. */
  message(): NativeMessage | undefined {
    const dialect = dialects[this.protocol];
    const native = dialect.isWhole(this.native) ? dialect.messageOf(this.native) : undefined;
    return native && new NativeMessage(this.protocol, native);
  }

  private texts(): TextDelta {
    const dialect = dialects[this.protocol];
    if (!dialect.isWhole(this.native)) {
      return dialect.delta(this.native);
    }
    const parts = this.message()?.parts() ?? [];
    const textOf = (kind: 'text' | 'thinking'): string | undefined => {
      const texts = parts.flatMap(part => (part.kind === kind ? [part.text] : []));
      return texts.length === 0 ? undefined : texts.join('');
    };
    return { thinking: textOf('thinking'), content: textOf('text') };
  }
}
