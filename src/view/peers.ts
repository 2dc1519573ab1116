import { readFileSync } from 'node:fs';
import type { Socket } from 'node:net';

/** The first row of /proc/net/tcp has headings. These are columns of the others. */
const columns = { local: 1, remote: 2, user: 7 } as const;
const root = 0;

/**
 * True if another user of this machine opened a connection. Other users cannot read the cookie, but one who listens on
 * another port of the same address is sent it. Linux tells whose a connection is; elsewhere the cookie alone decides.
 */
export function isOfAnotherUser({ localPort, remotePort }: Socket): boolean {
  const own = process.getuid?.();
  if (own === undefined || localPort === undefined || remotePort === undefined) {
    return false;
  }
  const user =
    userIn('/proc/net/tcp', remotePort, localPort) ?? userIn('/proc/net/tcp6', remotePort, localPort);
  // Root can read everything of every user anyway, and programs that forward ports may run as root.
  return user !== undefined && user !== own && user !== root;
}

/** The user of the other end of a connection: for that end, the ports are the other way round. */
function userIn(table: string, from: number, to: number): number | undefined {
  const ends = [from, to].map(port => `:${port.toString(16).toUpperCase().padStart(4, '0')}`);
  const [local = '', remote = ''] = ends;
  const row = linesOf(table)
    .map(line => line.trim().split(/\s+/))
    .find(
      cells =>
        cells[columns.local]?.endsWith(local) === true &&
        cells[columns.remote]?.endsWith(remote) === true &&
        isLoopback(cells[columns.local] ?? ''),
    );
  return row === undefined ? undefined : Number(row[columns.user]);
}

/** 127.0.0.1, in the order of the machine's bytes, also as an address of IPv6. */
function isLoopback(address: string): boolean {
  return /^(?:0000000000000000FFFF0000)?0100007F:/.test(address);
}

function linesOf(table: string): readonly string[] {
  try {
    return readFileSync(table, 'utf8').split('\n');
  } catch {
    return [];
  }
}
