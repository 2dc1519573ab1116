// The few globals that Node, workers and browsers all have, and that the language library does not declare.
declare class TextEncoder {
  encode(input?: string): Uint8Array<ArrayBuffer>;
  encodeInto(source: string, destination: Uint8Array): { read: number; written: number };
}
declare class TextDecoder {
  constructor(label?: string, options?: { fatal?: boolean; ignoreBOM?: boolean });
  decode(input?: ArrayBufferView | ArrayBuffer, options?: { stream?: boolean }): string;
}
interface AbortSignal {
  readonly aborted: boolean;
  throwIfAborted(): void;
}
declare function setTimeout(callback: () => void, milliseconds: number): unknown;
declare function atob(data: string): string;
declare const crypto: { getRandomValues(array: Uint32Array<ArrayBuffer>): Uint32Array<ArrayBuffer> };
