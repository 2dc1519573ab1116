import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { kindOf } from '../../src/core/model/blockWords';
import { wasteOf } from '../../src/core/questions/wasteQuestion';
import type { TranscriptSession } from '../../src/core/session/transcriptSession';
import type { WasteKind } from '../../src/core/waste/wasteKinds';
import { WasteWords } from '../../src/core/waste/wasteWords';
import { openSample } from './openSample';

/** The shown length of a text in UTF-16 units, and the number of shown texts of the model after it. */
const shownResult = 700;
const shownReply = 350;
const replies = 6;
/** Blocks of a finding, where one kind is looked at. */
const mostOfKind = 40;

/**
 * Material to judge findings of a kind by hand: each block, the evidence that it is waste, and the texts that the model wrote
 * after it.
 */
export async function* wasteSamples(
  files: readonly string[],
  kind: WasteKind | undefined,
): AsyncGenerator<string> {
  for (const file of files) {
    const session = await openSample(basename(file), readFileSync(file));
    if (session === undefined) {
      continue;
    }
    const report = await wasteOf(session);
    const words = new WasteWords(session.toSession());
    for (const finding of report.findings.filter(found => kind === undefined || found.kind === kind)) {
      for (const { block, evidence, tokens, since } of finding.blocks.slice(
        0,
        kind === undefined ? 2 : mostOfKind,
      )) {
        yield [
          `##### ${basename(file)} · ${words.of(finding).title} · ${Math.round(tokens)} tokens from request ${since} on`,
          `--- ${words.nameOf(block)} (line ${session.transcript.blocks.at(block)?.source.line ?? 0})`,
          await textOf(session, block, shownResult),
          ...(evidence < 0 ? [] : [`--- shown by`, await textOf(session, evidence, shownReply)]),
          ...(await repliesAfter(session, block)),
          ...(await nearest(session, block)),
        ].join('\n');
      }
    }
  }
}

async function textOf(session: TranscriptSession, block: number, length: number): Promise<string> {
  for await (const { text } of session.textsOf([block])) {
    return text.slice(0, length);
  }
  return '';
}

async function repliesAfter(session: TranscriptSession, block: number): Promise<readonly string[]> {
  const { blocks } = session.toSession().columns;
  const found: string[] = [];
  for (let next = block + 1; next < blocks.kind.length && found.length < replies; next += 1) {
    const kind = kindOf(blocks, next);
    if (kind === 'assistant' || kind === 'toolCall' || kind === 'thinking') {
      found.push(`--- then, ${kind}\n${await textOf(session, next, shownReply)}`);
    }
  }
  return found;
}

/** The two later texts of the model that share most words with a block. */
async function nearest(session: TranscriptSession, block: number): Promise<readonly string[]> {
  const { blocks } = session.toSession().columns;
  const own = new Set((await textOf(session, block, 1 << 20)).match(longWord));
  const later = [...blocks.kind.keys()].filter(
    other => other > block && ['assistant', 'toolCall', 'thinking'].includes(kindOf(blocks, other)),
  );
  const found: { readonly shared: readonly string[]; readonly text: string }[] = [];
  for await (const { text } of session.textsOf(later)) {
    found.push({ shared: [...new Set(text.match(longWord))].filter(word => own.has(word)), text });
  }
  return found
    .sort((one, other) => other.shared.length - one.shared.length)
    .slice(0, 2)
    .map(({ shared, text }) => `--- shares ${shared.slice(0, 12).join(' ')}\n${text.slice(0, shownReply)}`);
}

const longWord = /\w{7,}/g;
