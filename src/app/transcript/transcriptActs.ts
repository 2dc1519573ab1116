import { pathToFileURL } from 'node:url';
import { formatNumber } from '../../core/base/format';
import { translate } from '../../core/base/translate';
import { visibleLabel } from '../../core/base/visibleText';
import { type AddedFolder, rulesFor } from '../../core/finder/pathMapping';
import type { BlockPlace } from '../../protocol/workerQuestions';
import { type Address, pathOf } from '../address';
import type { Desk, Files, Surroundings } from '../desk';
import { pathCandidates } from './pathCandidates';
import { findSubagent } from './relatedFiles';
import type { TranscriptDocument } from './transcriptDocument';

/** The surroundings of the acts of a page. */
export interface ActTools {
  readonly desk: Desk;
  readonly surroundings: Pick<Surroundings, 'files' | 'folders'>;
}

/** Opens the transcript as text, at the block's line. */
export async function revealSource(
  document: TranscriptDocument,
  block: number,
  { desk, surroundings }: ActTools,
): Promise<void> {
  const place = await placeOf(document, block);
  const { size } = await surroundings.files.stat(document.address);
  const { sourceLimit } = desk;
  await (sourceLimit === undefined || size <= sourceLimit.bytes
    ? desk.openSource(document.address, place.line)
    : offerRecord(document, { block, place, reason: sourceLimit.reason }, desk));
}

async function offerRecord(
  document: TranscriptDocument,
  { block, place, reason }: { readonly block: number; readonly place: BlockPlace; readonly reason: string },
  desk: Desk,
): Promise<void> {
  const open = translate('Open Record');
  const sentence = translate(
    '{0} The record is at line {1}, byte {2}.',
    reason,
    formatNumber(place.line),
    formatNumber(place.offset),
  );
  if ((await desk.say('information', sentence, open)) === open) {
    const record = await document.ask({ name: 'record', params: { block } });
    await desk.openText(translate('{0}, line {1}.json', document.fileName, place.line), indented(record));
  }
}

function indented(json: string): string {
  try {
    return JSON.stringify(JSON.parse(json), undefined, 2);
  } catch {
    return json;
  }
}

/** Opens the file that a block was read from, at its place on this machine, at the first line that the block shows. */
export async function openPath(
  document: TranscriptDocument,
  block: number,
  added: readonly AddedFolder[],
  { desk, surroundings }: ActTools,
): Promise<void> {
  const { path, workingDirectory, fileLine } = await placeOf(document, block);
  if (path === undefined) {
    return;
  }
  const recorded = { path, ...(workingDirectory === undefined ? {} : { workingDirectory }) };
  const own = pathOf(document.address);
  const rules = own === undefined ? [] : rulesFor(own, added);
  const candidates = pathCandidates(recorded, surroundings.folders(), rules);
  const found = await firstExisting(
    candidates.map(candidate => pathToFileURL(candidate).href),
    surroundings.files,
  );
  if (found === undefined) {
    desk.say('information', translate('{0} was not found on this machine.', visibleLabel(path)));
    return;
  }
  await desk.open(found, fileLine);
}

/** Opens the transcript that a subagent of this one wrote. */
export async function openSubagent(
  document: TranscriptDocument,
  id: string,
  { desk, surroundings }: ActTools,
): Promise<void> {
  const { state } = document;
  const found =
    state.kind === 'shown'
      ? await findSubagent(surroundings.files, document.address, state.summary.format, id)
      : undefined;
  if (found === undefined) {
    desk.say(
      'information',
      translate(
        'The transcript of subagent {0} was not found next to {1}.',
        visibleLabel(id),
        visibleLabel(document.fileName),
      ),
    );
    return;
  }
  await desk.show(found);
}

/** Opens the parent transcript, which started this one as a subagent. */
export async function openParent(document: TranscriptDocument, { desk }: ActTools): Promise<void> {
  const found = await document.parent;
  if (found !== undefined) {
    await desk.show(found);
  }
}

function placeOf(document: TranscriptDocument, block: number): Promise<BlockPlace> {
  return document.ask({ name: 'place', params: { block } });
}

async function firstExisting(addresses: readonly Address[], files: Files): Promise<Address | undefined> {
  for (const address of addresses) {
    try {
      await files.stat(address);
      return address;
    } catch {
      // Missing or not readable: try the next one.
    }
  }
  return undefined;
}
