import * as v from 'valibot';
import { decodeMessage } from '../../src/protocol/binaryMessage';
import { type FromDoor, toDoor, type ToDoor } from '../../src/protocol/door';

/** The socket of a page. What is sent before it is open, waits; what is sent after its end goes nowhere. */
export class Connection {
  private readonly socket: WebSocket;
  private readonly waiting: string[] = [];

  constructor(
    receive: (message: ToDoor) => void,
    /** Called when the server ends or cannot be reached, and not when the page goes. */
    onLost: () => void,
  ) {
    const { origin, pathname, search } = location;
    this.socket = new WebSocket(`${origin.replace(/^http/, 'ws')}${pathname}${search}`);
    this.socket.binaryType = 'arraybuffer';
    this.socket.onmessage = ({ data }: MessageEvent<unknown>) => {
      const isMessage = typeof data === 'string' || data instanceof ArrayBuffer;
      const read = v.safeParse(toDoor, isMessage ? decodeMessage(data) : undefined);
      if (read.success) {
        receive(read.output);
      }
    };
    this.socket.onopen = () => this.waiting.splice(0).forEach(text => this.socket.send(text));
    let isGoing = false;
    window.addEventListener('pagehide', () => {
      isGoing = true;
      this.socket.close();
    });
    window.addEventListener('pageshow', ({ persisted }) => {
      if (persisted) {
        location.reload();
      }
    });
    this.socket.onclose = () => {
      if (!isGoing) {
        onLost();
      }
    };
  }

  send(message: FromDoor): void {
    const text = JSON.stringify(message);
    if (this.socket.readyState === WebSocket.CONNECTING) {
      this.waiting.push(text);
    } else if (this.socket.readyState === WebSocket.OPEN) {
      this.socket.send(text);
    }
  }
}
