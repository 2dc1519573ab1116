import { arrayAt, isArray, member, objectAt, stringAt } from '../../base/json';
import { labelOfText } from '../../content/blockLabels';
import { geminiPartBlocks } from '../../content/dialects/gemini';
import type { KnownCall } from '../../content/knownCalls';
import type { NewBlock, TranscriptBuilder } from '../../content/transcriptBuilder';
import type { RecordedUsage } from '../../model/transcript';
import type { LineFormat, SourceRecord } from '../../reading/format';
import { History } from '../common/history';
import { readUsage } from '../common/usage';

/** Recorded answers that Gemini CLI's tests play: replies in chunks, without the requests that they answer. */
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
    const calls = new Map<string, KnownCall>();
    return {
      push: record => readResponse(record, builder, calls),
      finish: () => builder.build(geminiResponses.id),
    };
  },
};

function isGeneration(record: unknown): boolean {
  return stringAt(record, 'method')?.startsWith('generateContent') === true;
}

function readResponse(
  { value, range }: SourceRecord,
  builder: TranscriptBuilder,
  calls: Map<string, KnownCall>,
): void {
  if (!isGeneration(value)) {
    builder.leaveOut(`${stringAt(value, 'method') ?? 'unknown'} answer`, range);
    return;
  }
  const response = member(value, 'response');
  const chunks = isArray(response) ? response : [response];
  const message = builder.addMessage({ role: 'assistant' });
  const blocks: NewBlock[] = [];
  let usage: RecordedUsage | undefined;
  let model: string | undefined;
  chunks.forEach((chunk, index) => {
    const base = isArray(response) ? ['response', index] : ['response'];
    const content = objectAt(arrayAt(chunk, 'candidates')[0], 'content');
    arrayAt(content, 'parts').forEach((part, at) => {
      const place = { record: range, path: [...base, 'candidates', 0, 'content', 'parts', at] };
      geminiPartBlocks(part, place, 'assistant', calls).forEach(block => addPiece(blocks, block));
    });
    // Every chunk repeats the usage so far; the last is right.
    usage = readUsage(objectAt(chunk, 'usageMetadata'), 'gemini') ?? usage;
    model = stringAt(chunk, 'modelVersion') ?? model;
  });
  if (blocks.length === 0) {
    builder.leaveOut('an answer without content', range);
  }
  new History(builder).open({ line: range.line, usage, model }, builder.addBlocks(blocks, message));
}

/** Texts of one kind that follow each other are one text that came in pieces. */
function addPiece(blocks: NewBlock[], block: NewBlock): void {
  const last = blocks.at(-1);
  if (last?.kind !== block.kind || (block.kind !== 'assistant' && block.kind !== 'thinking')) {
    blocks.push(block);
    return;
  }
  const content = last.content + block.content;
  const parts = [...(last.text.kind === 'joined' ? last.text.parts : [last.text]), block.text];
  blocks[blocks.length - 1] = {
    ...last,
    content,
    label: labelOfText(content),
    text: { kind: 'joined', parts },
  };
}
