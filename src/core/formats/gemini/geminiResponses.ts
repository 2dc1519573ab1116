import { arrayAt, isArray, member, objectAt, stringAt } from '../../base/json';
import { geminiBlocks } from '../../wire/gemini/blocks';
import type { KnownCalls } from '../../content/knownCalls';
import type { TranscriptBuilder } from '../../content/transcriptBuilder';
import type { LineFormat, SourceRecord } from '../../reading/format';
import { History } from '../common/history';
import { readUsage } from '../../wire/usage';
import { joinPieces } from './geminiReply';

/** Recorded responses that Gemini CLI's tests replay: replies in chunks, without their requests. */
export const geminiResponses: LineFormat = {
  kind: 'lines',
  id: 'gemini-responses',
  name: 'Gemini CLI recorded responses',
  matches: records =>
    records.length > 0 &&
    records.every(
      record => stringAt(record, 'method') !== undefined && member(record, 'response') !== undefined,
    ) &&
    records.some(isGeneration),
  open: builder => {
    builder.agentName = 'Gemini CLI';
    const calls: KnownCalls = new Map();
    return {
      push: record => readResponse(record, builder, calls),
      resume: () => false,
    };
  },
};

function isGeneration(record: unknown): boolean {
  return stringAt(record, 'method')?.startsWith('generateContent') === true;
}

function readResponse({ value, range }: SourceRecord, builder: TranscriptBuilder, calls: KnownCalls): void {
  if (!isGeneration(value)) {
    builder.leaveOut(`${stringAt(value, 'method') ?? 'unknown'} answer`, range);
    return;
  }
  const response = member(value, 'response');
  const chunks = isArray(response) ? response : [response];
  const pieces = chunks.flatMap((chunk, index) => {
    const { parts } = objectAt(arrayAt(chunk, 'candidates')[0], 'content') ?? {};
    const base = isArray(response) ? ['response', index] : ['response'];
    const place = { record: range, path: [...base, 'candidates', 0, 'content', 'parts'] };
    return isArray(parts) ? geminiBlocks(parts, place, 'assistant', calls) : [];
  });
  if (pieces.length === 0) {
    builder.leaveOut('an answer without content', range);
  }
  const message = builder.addMessage({ role: 'assistant' });
  const facts = {
    line: range.line,
    // Every chunk has the usage so far, so the last one is final.
    usage: chunks.flatMap(chunk => readUsage(objectAt(chunk, 'usageMetadata'), 'gemini') ?? []).at(-1),
    model: chunks.flatMap(chunk => stringAt(chunk, 'modelVersion') ?? []).at(-1),
  };
  new History(builder).open(facts, builder.addBlocks(joinPieces(pieces), message));
}
