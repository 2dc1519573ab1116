import { CutPrompts, describeIndexed } from '../../core/index/describeIndexed';
import { packBlocks } from '../../core/index/blockTable';
import { packRequests } from '../../core/index/requestTable';
import type { IndexedFigures } from '../../core/index/listedSession';
import { packLosses } from '../../core/index/lossTable';
import { packParts } from '../../core/index/partTable';
import { carriedParts } from '../../core/index/carriedParts';
import { SessionWords } from '../../core/index/sessionWords';
import { sliceLength } from '../../core/finder/sessionOutline';
import { readTranscript } from '../../core/formats/readTranscript';
import { Gate } from '../../core/sensitivity/gate';
import { cacheQuestions } from '../../core/questions/cacheQuestions';
import { requestWasteOf } from '../../core/questions/wasteQuestion';
import { ReadingCounts } from '../../core/session/readingCounts';
import { readSubagents, type SubagentFiles } from '../../core/session/subagentSessions';
import { TextReader } from '../../core/session/textReader';
import { TranscriptSession } from '../../core/session/transcriptSession';
import { doubtedTotals } from '../../core/tokens/doubtedTotals';
import { RequestTokens } from '../../core/view/requestTokens';
import { unknownPrior } from '../../core/tokens/tokenizerPrior';
import { decoderTools } from '../databases/database';
import { decodeText } from '../files/decodeText';
import { type FileByteSource, openFileNow } from '../files/fileByteSource';
import { credentialScanner, secretScanner } from '../secrets/secretScannerOnDemand';
import { localFilesNow } from '../sessions/sessionFiles';
import { siblingFilesOf } from '../sessions/siblingFiles';
import { repositoryFolder } from '../sessions/worktrees';
import { nobody, type ReadingOrder, type ReadPart, without } from './readParts';

const files = localFilesNow();

/** Reads a file for the index. A file that is not a transcript has no requests. Rejects if it cannot be read. */
export async function* readForIndex({
  file,
  words,
  subagents,
  limits,
}: ReadingOrder): AsyncGenerator<ReadPart> {
  const source = openFileNow(file.path);
  const siblings = siblingFilesOf(file.path);
  const collected = new SessionWords(secretScanner);
  const prompts = new CutPrompts();
  const counts = new ReadingCounts(unknownPrior.encoding, credentialScanner, undefined, false);
  try {
    const result = await readTranscript(source, {
      usageOnly: !words,
      requestsOnly: !words,
      visitText: (...visited) => {
        prompts.visit(...visited);
        if (words) {
          collected.visit(...visited);
          counts.visit(...visited);
        }
      },
      ...(words
        ? {
            makeRoom: async () => {
              await collected.makeRoom();
              await counts.makeRoom();
            },
          }
        : {}),
      mayGrow: false,
      decodeText,
      limits,
      tools: decoderTools,
      siblings,
    });
    if (!result.ok) {
      yield { kind: 'session', session: nobody, requests: packRequests(undefined).bytes, ...without };
      return;
    }
    const { transcript, document } = result;
    let tables = without;
    if (words) {
      const texts = new TextReader(result.source ?? source, transcript, document, decodeText);
      for await (const part of collected.words(numbers => texts.readAll(numbers))) {
        yield { kind: 'words', ...part };
      }
      const isInRecords = document === undefined && result.source === undefined;
      await counts.finish();
      const opened = new TranscriptSession(
        transcript,
        texts,
        { fileName: '', scanner: credentialScanner, labels: false },
        undefined,
        counts,
      );
      // For models with another encoding.
      await opened.countTokens();
      const { findings } = await cacheQuestions(opened).report();
      const { columns } = opened.toSession();
      const hidden = new RequestTokens(columns);
      const kept = collected.keptText;
      const waste = await requestWasteOf(opened, block => kept(columns.blocks.content[block] ?? block));
      tables = {
        blocks: await packBlocks(transcript, isInRecords, collected.masked, collected.shown),
        losses: packLosses(transcript.requests, findings, waste, request => hidden.notRecorded(request)),
        parts: await packParts(carriedParts(opened.toSession(), transcript), collected.shown),
      };
    }
    const head = new TextDecoder().decode(await source.read(0, sliceLength));
    const { bytes, models, billings } = packRequests(transcript);
    const gate = new Gate(credentialScanner);
    const session = await describeIndexed(
      file,
      { ...transcript, title: prompts.of(transcript.title) },
      head,
      models,
      billings,
      doubtedTotals(transcript),
      words ? collected.findings : undefined,
      gate,
      path => repositoryFolder(path, files),
    );
    const beside =
      subagents === true
        ? await readSubagents(transcript, siblings, readTranscript, { limits, tools: decoderTools })
        : undefined;
    yield {
      kind: 'session',
      session,
      requests: bytes,
      ...tables,
      ...(beside === undefined ? {} : { subagents: figuresOf(beside) }),
    };
  } finally {
    await source.close();
  }
}

function figuresOf(subagents: SubagentFiles): readonly IndexedFigures[] {
  return [...subagents.values()].flatMap(({ session }) => {
    if (session === undefined) {
      return [];
    }
    const { bytes, models, billings } = packRequests(session.transcript);
    return [{ session: { ...nobody, models, billings }, requests: bytes }];
  });
}

/** Reads all needed texts of a file in which texts have no records of their own. Rejects if the file cannot be read. */
export async function readTexts(path: string, source: FileByteSource): Promise<TextReader> {
  const result = await readTranscript(source, {
    mayGrow: false,
    decodeText,
    tools: decoderTools,
    siblings: siblingFilesOf(path),
  });
  if (!result.ok) {
    throw new Error(result.sentence);
  }
  return new TextReader(result.source ?? source, result.transcript, result.document, decodeText);
}
