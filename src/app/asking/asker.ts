import type {
  ModelReply,
  ModelTarget,
  PreparedRequest,
  ReplyPiece,
  SendControl,
} from '../../backend/modelTarget';
import type { Conversation } from '../../core/model/conversation';

/** The model to ask: at a provider over HTTP, or offered by VS Code. */
export interface Asker {
  /** The name used in sentences. */
  readonly name: string;
  readonly needsKey: boolean;
  /** The allowed destination of a key: scheme, host and port; absent for a model without a key. */
  readonly origin?: string;
  /** Counts and describes requests. */
  readonly target: ModelTarget;
  prepare(conversation: Conversation, options: { readonly markEnd: boolean }): PreparedRequest;
  /** Never rejects because of a provider's error. */
  ask(
    sent: { readonly conversation: Conversation; readonly prepared: PreparedRequest },
    control: SendControl,
    onPiece: (piece: ReplyPiece) => void,
  ): Promise<ModelReply>;
}

/** A provider over HTTP. */
export function providerAsker(target: ModelTarget): Asker {
  const { preset } = target.settings;
  return {
    name: preset.name,
    needsKey: preset.keyVariable !== undefined,
    origin: target.origin,
    target,
    prepare: (conversation, options) => target.prepare(conversation, options),
    ask: ({ prepared }, control, onPiece) => target.ask(prepared, control, onPiece),
  };
}
