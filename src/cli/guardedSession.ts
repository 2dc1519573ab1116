import { closeSync, fstatSync, readSync } from 'node:fs';
import { basename } from 'node:path';
import type { GuardedSession } from '../core/contextTools/guard';
import { inputTo, nextRequest } from '../core/contextTools/nextRequest';
import { hookTranscript } from '../core/formats/hookTranscript';
import { type ByteSource, bytesSource } from '../core/model/byteSource';
import { openReadBy } from '../core/session/openReadBy';
import { buildRequestView } from '../core/view/requestView';
import { decodeText } from '../node/files/decodeText';
import { openRegularNow } from '../node/files/fileByteSource';

/** Bytes read from the beginning of a session, which name its agent; more if its first record is longer. */
const headBytes = 1 << 14;
/** Bytes read from its end at first. The newest request is nearly always in them; after a long result it takes more. */
const tailBytes = 1 << 16;
/** By how much the next try reads more. */
const growth = 8;
/** Bytes looked through at a time, and at most, for the model of a turn that began before the end. */
const searchedBytes = 1 << 20;
const mostSearched = 1 << 24;
const newline = 10;

/** A record with tokens, and the record of Codex with the model of a turn. In a text, the quotes would be escaped. */
const usageMark = '"input_tokens":';
const turnMark = '"type":"turn_context"';

/**
 * The state of a session from the ends of its file; undefined if it has no request with recorded usage, or if it is not
 * readable.
 * @param model the model that the agent names, in case that no record near the end does
 */
export async function guardedSession(
  path: string,
  model: string | undefined,
): Promise<GuardedSession | undefined> {
  const file = openRegularNow(path);
  try {
    const { size } = fstatSync(file);
    const head = headOf(file, size);
    for (let length = tailBytes; ; length *= growth) {
      const isWhole = head.length + length >= size;
      const from = isWhole ? head.length : size - length;
      const tail = bytesAt(file, from, size - from);
      if (isWhole || tail.includes(usageMark)) {
        const parts = isWhole
          ? [head, tail]
          : [head, ...turnBefore(file, head, from, tail, model), afterCut(tail)];
        const found = await sessionIn(path, bytesSource(Buffer.concat(parts)));
        if (found !== undefined || isWhole) {
          return found;
        }
      }
    }
  } finally {
    closeSync(file);
  }
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
  if (next === undefined || next.isEstimated || session.summary.after?.change !== undefined) {
    return undefined;
  }
  const { window } = buildRequestView(session.columns, next.after);
  return {
    next,
    window,
    model: opened.session.transcript.requests[next.after]?.model ?? '',
    inputTo: other => inputTo(session, next, other, opened.session.modelRow(other)),
  };
}

/** The complete lines at the beginning, at least one. */
function headOf(file: number, size: number): Buffer {
  for (let length = headBytes; ; length *= growth) {
    const head = bytesAt(file, 0, Math.min(size, length));
    const end = head.lastIndexOf(newline) + 1;
    if (end > 0 || head.length >= size) {
      return end > 0 ? head.subarray(0, end) : head;
    }
  }
}

const afterCut = (tail: Buffer): Buffer => tail.subarray(tail.indexOf(newline) + 1);

/**
 * The record of Codex that names the model of the newest turn, if it lies between the two ends. Where that would take long,
 * one with the model that the hook names.
 */
function turnBefore(
  file: number,
  head: Buffer,
  from: number,
  tail: Buffer,
  model: string | undefined,
): readonly Buffer[] {
  if (!head.includes('"session_meta"') || tail.includes(turnMark)) {
    return [];
  }
  const least = Math.max(head.length, from - mostSearched);
  for (let end = from; end > least; end -= searchedBytes) {
    const start = Math.max(least, end - searchedBytes);
    // The mark may lie across the border.
    const bytes = bytesAt(file, start, end - start + turnMark.length);
    const at = bytes.lastIndexOf(turnMark);
    if (at >= 0) {
      return [lineAround(file, start + at, head.length)];
    }
  }
  return model === undefined || least === head.length
    ? []
    : [Buffer.from(`${JSON.stringify({ type: 'turn_context', payload: { model } })}\n`)];
}

/** The whole line at a place. */
function lineAround(file: number, place: number, least: number): Buffer {
  for (let length = headBytes; ; length *= growth) {
    const start = Math.max(least, place - length);
    const bytes = bytesAt(file, start, place - start + length);
    const middle = place - start;
    const before = bytes.lastIndexOf(newline, middle) + 1;
    const after = bytes.indexOf(newline, middle);
    const isCut = bytes.length === place - start + length;
    if ((before > 0 || start === least) && (after >= 0 || !isCut)) {
      return bytes.subarray(before, after < 0 ? bytes.length : after + 1);
    }
  }
}

function bytesAt(file: number, place: number, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  return bytes.subarray(0, readSync(file, bytes, 0, length, place));
}
