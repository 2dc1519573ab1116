import * as v from 'valibot';
import type { RawData, WebSocket } from 'ws';
import type { Log, Surface } from '../app/desk';
import { Emitter } from '../app/emitter';
import { cutText, visibleText } from '../core/base/visibleText';
import { decodeMessage, encodeMessage } from '../protocol/binaryMessage';
import { type DoorCommand, fromDoor, type FromDoor, type ToDoor } from '../protocol/door';

/** Longest sentence, label or title, in UTF-16 units. */
const longest = 1000;

/** Foreign text as one line. The browser shows it as text, never as markup. */
export function plainLine(text: string): string {
  const cut = text.length > longest ? `${cutText(text, longest - 1)}…` : text;
  return visibleText(cut).replace(/\s+/gu, ' ').trim();
}

/** An answer of the user: the number of a button or of a choice, or a text; undefined if the question was closed. */
export type UserAnswer = Extract<FromDoor, { type: 'answered' }>['answer'];

/** A question to the user, without the number that the socket gives it. */
type Numbered = Extract<ToDoor, { readonly id: number }>;
type WithoutId<Message> = Message extends unknown ? Omit<Message, 'id'> : never;
export type UserQuestion = WithoutId<
  Exclude<Numbered, { type: 'choices' | 'problem' | 'progressed' | 'end' }>
>;

interface Asked {
  readonly resolve: (answer: UserAnswer) => void;
  readonly onTyped: (text: string) => void;
}

/**
 * The socket of one page. It carries the page's own messages unread, and the questions of its desk to the user. As long
 * as it is open, the page counts as visible: a browser keeps a hidden page.
 */
export class PageSocket implements Surface {
  private readonly messages = new Emitter<unknown>();
  readonly onMessage = this.messages.event;
  private readonly shows = new Emitter<boolean>();
  readonly onVisible = this.shows.event;
  private readonly closes = new Emitter<unknown>();
  readonly onClose = this.closes.event;
  private readonly commands = new Emitter<DoorCommand>();
  readonly onCommand = this.commands.event;
  private readonly asked = new Map<number, Asked>();
  private last = 0;
  private title = '';
  private isOpen = true;

  constructor(
    private readonly socket: WebSocket,
    private readonly log: Log,
  ) {
    socket.on('message', (data, isBinary) => this.receive(data, isBinary));
    socket.on('close', () => this.close());
    // `close` follows.
    socket.on('error', error => log.warn(error.message));
  }

  get isVisible(): boolean {
    return this.isOpen;
  }

  post(message: unknown): void {
    this.send({ type: 'page', message });
  }

  setTitle(title: string): void {
    const shown = plainLine(title);
    if (shown !== '' && shown !== this.title) {
      this.title = shown;
      this.send({ type: 'title', title: shown });
    }
  }

  send(message: ToDoor): void {
    if (this.isOpen) {
      this.socket.send(encodeMessage(message));
    }
  }

  /**
   * Asks the user. Resolves with the answer, with undefined once the page is closed.
   * @param onTyped gets what the user has typed so far
   */
  ask(
    question: UserQuestion,
    onTyped: Asked['onTyped'] = () => undefined,
  ): { readonly id: number; readonly answer: Promise<UserAnswer> } {
    this.last += 1;
    const id = this.last;
    const answer = new Promise<UserAnswer>(resolve => {
      if (this.isOpen) {
        this.asked.set(id, { resolve, onTyped });
        this.send({ ...question, id });
      } else {
        resolve(undefined);
      }
    });
    return { id, answer };
  }

  /** Takes a question back. It is answered with undefined. */
  end(id: number): void {
    this.asked.get(id)?.resolve(undefined);
    if (this.asked.delete(id)) {
      this.send({ type: 'end', id });
    }
  }

  private receive(data: RawData, isBinary: boolean): void {
    const message = isBinary || !Buffer.isBuffer(data) ? undefined : read(data.toString());
    if (message === undefined) {
      this.log.error('A page sent a message that is not valid.');
      return;
    }
    switch (message.type) {
      case 'page':
        this.messages.fire(message.message);
        return;
      case 'seen':
        this.shows.fire(true);
        return;
      case 'answered':
        this.asked.get(message.id)?.resolve(message.answer);
        this.asked.delete(message.id);
        return;
      case 'typed':
        this.asked.get(message.id)?.onTyped(message.text);
        return;
      case 'command':
        this.commands.fire(message.command);
        return;
    }
  }

  private close(): void {
    this.isOpen = false;
    this.asked.forEach(({ resolve }) => resolve(undefined));
    this.asked.clear();
    this.closes.fire(undefined);
  }
}

function read(text: string): FromDoor | undefined {
  try {
    const parsed = v.safeParse(fromDoor, decodeMessage(text));
    return parsed.success ? parsed.output : undefined;
  } catch {
    return undefined;
  }
}
