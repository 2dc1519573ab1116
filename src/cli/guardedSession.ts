import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { basename } from 'node:path';
import type { GuardedSession } from '../core/contextTools/guard';
import { firstInputCost, nextRequest } from '../core/contextTools/nextRequest';
import { hookTranscript } from '../core/formats/hookTranscript';
import { type ByteSource, bytesSource } from '../core/model/byteSource';
import { openReadBy } from '../core/session/openReadBy';
import { buildRequestView } from '../core/view/requestView';
import { decodeText } from '../node/files/decodeText';

/** Bytes read from the beginning of a session, which name its agent and model. */
const headBytes = 1 << 14;
/** Bytes read from its end. The newest request is nearly always in the first of them; a long result needs the second. */
const tailSizes = [1 << 16, 1 << 21] as const;
const newline = 10;

/** The state of a session from the ends of its file; undefined if its newest request is not there, or not readable. */
export async function guardedSession(path: string): Promise<GuardedSession | undefined> {
  for (const size of tailSizes) {
    const found = await sessionIn(path, endsOf(path, size));
    if (found !== undefined) {
      return found;
    }
  }
  return undefined;
}

async function sessionIn(path: string, source: ByteSource): Promise<GuardedSession | undefined> {
  const opened = await openReadBy(hookTranscript, source, {
    fileName: basename(path),
    // Only figures leave, so nothing is scanned and no label made.
    scanner: { scan: () => Promise.resolve([]) },
    labels: false,
    usageOnly: true,
    mayGrow: false,
    decodeText,
  });
  if (!opened.ok) {
    return undefined;
  }
  const session = opened.session.toSession();
  const next = nextRequest(session, 0);
  // Only usage is read here, which is too little for an estimate.
  if (next === undefined || next.isEstimated) {
    return undefined;
  }
  const { window } = buildRequestView(session.columns, next.after);
  return {
    next,
    window,
    model: opened.session.transcript.requests[next.after]?.model ?? '',
    costWith: model => firstInputCost(opened.session.modelRow(model), next.tokens),
  };
}

/**
 * The complete lines at both ends of a file, as one source. Reads without `node:fs/promises`, which takes a tenth of the
 * time of a hook to load.
 */
function endsOf(path: string, tailBytes: number): ByteSource {
  const file = openSync(path, 'r');
  try {
    const { size } = fstatSync(file);
    const whole = size <= headBytes + tailBytes;
    const head = bytesAt(file, 0, whole ? size : headBytes);
    const tail = whole ? undefined : bytesAt(file, size - tailBytes, tailBytes);
    const bytes =
      tail === undefined
        ? head
        : Buffer.concat([
            head.subarray(0, head.lastIndexOf(newline) + 1),
            tail.subarray(tail.indexOf(newline) + 1),
          ]);
    return bytesSource(bytes);
  } finally {
    closeSync(file);
  }
}

function bytesAt(file: number, place: number, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  return bytes.subarray(0, readSync(file, bytes, 0, length, place));
}
