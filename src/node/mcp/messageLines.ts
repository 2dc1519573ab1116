import { Transform, type TransformCallback } from 'node:stream';
import { numberAt, objectAt, parseJson, stringAt } from '../../core/base/json';

/** Bytes of the longest message that is read. */
const longestMessage = 10_000_000;
const newline = 10;

/** The codes of JSON-RPC 2.0. */
const parseError = -32_700;
const invalidRequest = -32_600;

/**
 * The lines of a client that are messages. The protocol's own library drops other lines without an answer, and ends at
 * one that is too long, so that the client would wait for ever; here each gets an error.
 * @param isMessage throws for JSON that is no message of the protocol
 * @param answer sends one line to the client
 */
export class MessageLines extends Transform {
  private parts: Buffer[] = [];
  private length = 0;

  constructor(
    private readonly isMessage: (line: string) => unknown,
    private readonly answer: (line: string) => unknown,
  ) {
    super();
  }

  override _transform(chunk: Buffer, _: BufferEncoding, done: TransformCallback): void {
    let from = 0;
    for (let end = chunk.indexOf(newline); end >= 0; end = chunk.indexOf(newline, from)) {
      this.add(chunk.subarray(from, end));
      this.endLine();
      from = end + 1;
    }
    this.add(chunk.subarray(from));
    done();
  }

  /** Keeps nothing of a line that is too long but its length. */
  private add(part: Buffer): void {
    this.length += part.length;
    if (this.length > longestMessage) {
      this.parts = [];
    } else {
      this.parts.push(part);
    }
  }

  private endLine(): void {
    const line = Buffer.concat(this.parts).toString();
    const isTooLong = this.length > longestMessage;
    this.parts = [];
    this.length = 0;
    if (isTooLong) {
      this.refuse(null, invalidRequest, 'A message of more than 10 MB is not read.');
    } else if (line.trim() !== '') {
      this.pass(line);
    }
  }

  private pass(line: string): void {
    const parsed = parseJson(line);
    if (parsed === undefined) {
      this.refuse(null, parseError, 'This line is not JSON.');
      return;
    }
    try {
      this.isMessage(line);
      this.push(`${line}\n`);
    } catch {
      const request = objectAt({ request: parsed }, 'request');
      const id = stringAt(request, 'id') ?? numberAt(request, 'id') ?? null;
      this.refuse(id, invalidRequest, 'This is not a message of the protocol.');
    }
  }

  private refuse(id: string | number | null, code: number, message: string): void {
    this.answer(`${JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } })}\n`);
  }
}
