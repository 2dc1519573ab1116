import { isArray, isObject, member, stringAt } from '../../base/json';
import {
  linesWithFiles,
  siblingJson,
  siblingLines,
  siblingObjects,
} from '../../reading/decoders/linesWithFiles';
import type { SiblingFiles } from '../../reading/format';

/**
 * A session folder of Grok Build, `~/.grok/sessions/<folder>/<id>/`: the model's history in `chat_history.jsonl`, and
 * next to it the tools, the stream of updates with times and usage, and the content that compactions sent and kept. The
 * tools are those since the program was last started, the time in `prompt_context.json`.
 */
export const grokFiles = linesWithFiles({
  id: 'grok-build-files',
  matches: isHead,
  key: 'grokHistory',
  gather: async siblings => ({
    tools: await siblingJson(siblings, 'tool_definitions.json'),
    summary: await siblingJson(siblings, 'summary.json'),
    promptContext: await siblingJson(siblings, 'prompt_context.json'),
    updates: await siblingLines(siblings, 'updates.jsonl'),
    checkpoints: await siblingObjects(siblings, 'compaction_checkpoints'),
    compactions: await siblingObjects(siblings, 'compaction_requests'),
    segments: await segmentsOf(siblings),
  }),
});

/** The content that a compaction dropped, from its record: the user's messages before each reply, in full. */
export interface GrokSegment {
  readonly before: readonly (readonly string[])[];
}

async function segmentsOf(siblings: SiblingFiles): Promise<readonly GrokSegment[]> {
  const names = (await siblings.list('compaction')).filter(name => /^segment_\d+\.md$/.test(name));
  const files = await Promise.all(names.map(name => siblings.read(`compaction/${name}`)));
  return files.map(file => segmentOf(new TextDecoder().decode(file)));
}

/**
 * Turns are counted from 0, so a heading inside a turn is not mistaken for the next turn (xai-compaction-transcript).
 */
function segmentOf(text: string): GrokSegment {
  const before: string[][] = [];
  let waiting: string[] = [];
  let open: { readonly role: string; readonly from: number } | undefined;
  let count = 0;
  const close = (end: number): void => {
    if (open?.role === 'Human') {
      waiting.push(text.slice(open.from, end).replace(/\n{1,2}$/, ''));
    } else if (open?.role === 'Assistant') {
      before.push(waiting);
      waiting = [];
    }
  };
  for (const { index, groups, 0: heading } of text.matchAll(
    /^### Turn (?<number>\d+) \((?<role>\w+)\)\n/gm,
  )) {
    if (Number(groups?.['number']) === count) {
      close(index);
      count += 1;
      open = { role: groups?.['role'] ?? '', from: index + heading.length };
    }
  }
  close(text.length);
  return { before };
}

/** The history begins with the system prompt, an item of two members. */
function isHead(first: unknown): boolean {
  return (
    isObject(first) &&
    stringAt(first, 'type') === 'system' &&
    stringAt(first, 'content') !== undefined &&
    Object.keys(first).length === 2
  );
}

export function isGrokDocument(document: unknown): boolean {
  return isArray(member(document, 'grokHistory'));
}
