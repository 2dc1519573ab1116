import { isAgentError } from '../../src/core/model/contextBackend';
import { openTranscript } from '../../src/core/session/openTranscript';
import type { TranscriptSession } from '../../src/core/session/transcriptSession';
import { decoderTools } from '../../src/node/databases/database';
import { decodeText } from '../../src/node/files/decodeText';
import { hashText } from '../../src/node/files/hashText';
import { secretScanner } from '../../src/node/secrets/secretScannerOnDemand';
import { bytesSource } from '../fixtures/prunedCopies';
import { type Failure, failuresOf } from './checks';
import type { FuzzInput } from './input';
import { outputs, type Produced } from './outputs';

/** A defect, with a key that is the same for every input that shows it. */
export interface Finding extends Failure {
  readonly output: string;
  readonly key: string;
}

export interface Trial {
  readonly findings: readonly Finding[];
  readonly isOpened: boolean;
  /** Names of the outputs that were made. */
  readonly made: readonly string[];
}

export interface TrialOptions {
  /** The number of the input within its format, which decides the outputs. Undefined makes all outputs. */
  readonly turn: number | undefined;
  /** Makes this output alone. */
  readonly only?: string | undefined;
  /** Leaves these outputs out. */
  readonly skip?: readonly string[] | undefined;
  /** A folder for files that an output needs. */
  readonly folder: string;
}

/** Every n-th input of a format is run twice. */
const repeatedEvery = 11;

/** Maximum CPU time of one step: 5 seconds for 5 MB, at least one second, in milliseconds. */
const longestStep = (bytes: number): number => 1000 + (bytes / 5_000_000) * 4000;

/** Opens an input and makes outputs of it. Never rejects: every failure is a finding. */
export async function tryInput(input: FuzzInput, options: TrialOptions): Promise<Trial> {
  const first = await tryOnce(input, options);
  if (first.findings.some(isSlow)) {
    // A single occurrence may be due to code that runs for the first time, or to another program.
    const again = (await tryOnce(input, options)).findings.map(({ key }) => key);
    return {
      ...first,
      findings: first.findings.filter(found => !isSlow(found) || again.includes(found.key)),
    };
  }
  const isRepeated = options.turn === undefined || options.turn % repeatedEvery === 0;
  if (!isRepeated || first.findings.length > 0) {
    return first;
  }
  const second = await tryOnce(input, options);
  const differing = [...first.texts].flatMap(([output, text]) => {
    const other = second.texts.get(output) ?? '';
    return text === other
      ? []
      : [findingOf(output, { check: 'difference between two runs', ...differenceOf(text, other) })];
  });
  return { ...first, made: [...first.made, 'second run'], findings: differing };
}

const isSlow = ({ check }: Finding): boolean => check === 'slow';

interface Attempt extends Trial {
  /** Everything that an output printed, for comparison. */
  readonly texts: ReadonlyMap<string, string>;
}

async function tryOnce(input: FuzzInput, { turn, only, skip = [], folder }: TrialOptions): Promise<Attempt> {
  const findings: Finding[] = [];
  const made: string[] = [];
  const texts = new Map<string, string>();
  const source = (): string => new TextDecoder().decode(input.bytes);
  const step = async <Result>(output: string, work: () => Promise<Result>): Promise<Result | undefined> => {
    // By the clock alone, a step would seem slow whenever other programs run.
    const before = process.cpuUsage();
    const began = performance.now();
    try {
      return await work();
    } catch (error) {
      if (!isAgentError(error)) {
        findings.push(findingOf(output, failureOf(error)));
      }
      return undefined;
    } finally {
      const longest = longestStep(input.bytes.length);
      const milliseconds = performance.now() - began > longest ? spentSince(before) : 0;
      if (milliseconds > longest) {
        const seconds = `${(milliseconds / 1000).toFixed(1)} s of CPU time for ${input.bytes.length} bytes`;
        findings.push(findingOf(output, { check: 'slow', detail: '', context: seconds }));
      }
    }
  };
  const session = await step('opening', () => openInput(input));
  if (session !== undefined) {
    made.push('opening');
    const { requests } = session.transcript;
    const requestAt = (round: number | undefined): number | undefined =>
      requests.length === 0 ? undefined : round === undefined ? requests.length - 1 : round % requests.length;
    for (const [place, { name, every, make }] of outputs.entries()) {
      const isWanted =
        only === undefined ? turn === undefined || (turn + place) % every === 0 : only === name;
      if (isWanted && !skip.includes(name)) {
        const round = turn === undefined ? undefined : Math.floor(turn / every);
        const request = requestAt(round);
        const produced = await step(name, () => make({ input, session, request, turn: round ?? 0, folder }));
        made.push(name);
        takeOutput(name, produced);
      }
    }
  }
  function takeOutput(name: string, produced: Produced = { texts: [] }): void {
    texts.set(name, produced.texts.map(({ text }) => text).join('\n'));
    failuresOf(produced, input.planted, source).forEach(failure => findings.push(findingOf(name, failure)));
  }
  return { findings, isOpened: session !== undefined, made, texts };
}

/** CPU time, in milliseconds. */
function spentSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

async function openInput({ bytes, siblings }: FuzzInput): Promise<TranscriptSession | undefined> {
  const opened = await openTranscript(bytesSource(bytes), {
    fileName: 'file',
    scanner: secretScanner,
    decodeText,
    hashText,
    tools: decoderTools,
    siblings,
    countWhileReading: true,
  });
  if (!opened.ok) {
    return undefined;
  }
  await opened.session.measure();
  return opened.session;
}

function findingOf(output: string, failure: Failure): Finding {
  // A crash has the same key in every output.
  const key = failure.check === 'crash' ? failure.detail : `${output}: ${failure.check}: ${failure.detail}`;
  return { output, ...failure, key: key.replace(/\d+/g, '0').slice(0, 300) };
}

function failureOf(error: unknown): Failure {
  if (!(error instanceof Error)) {
    return { check: 'crash', detail: `thrown: ${String(error)}` };
  }
  const frames = (error.stack ?? '')
    .split('\n')
    .filter(line => line.trim().startsWith('at ') && !line.includes('node:'))
    .map(line =>
      line
        .trim()
        .replace(/\(.*\/(src|test|node_modules)\//, '($1/')
        .replace(/:\d+:\d+\)$/, ')'),
    );
  const message = error.message.split('\n', 1)[0] ?? '';
  const own = frames.find(frame => frame.includes('(src/')) ?? frames[0] ?? '';
  return {
    check: 'crash',
    detail: `${error.name}: ${ownWords(message)} ${own}`,
    context: [error.message.slice(0, 300), ...frames.slice(0, 6)].join('\n    '),
  };
}

/**
 * The beginning of a message, without parts that may come from the input: quoted text and the subject of an assertion.
 */
function ownWords(message: string): string {
  return message.replace(/["'(].*$| of .*$/, '').slice(0, 80);
}

function differenceOf(first: string, second: string): Pick<Failure, 'detail' | 'context'> {
  let at = 0;
  while (at < first.length && first[at] === second[at]) {
    at += 1;
  }
  const part = (text: string): string => JSON.stringify(text.slice(Math.max(0, at - 40), at + 40));
  return { detail: '', context: `${part(first)} and ${part(second)}` };
}
