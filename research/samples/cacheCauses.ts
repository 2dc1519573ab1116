import { existsSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { groupBy } from '../../src/core/base/groupBy';
import type { CacheFinding, CacheReport, RequestBoundary } from '../../src/core/cache/cacheFinding';
import { agreesWith } from '../../src/core/cache/recordedCause';
import { cacheQuestions } from '../../src/core/questions/cacheQuestions';
import { scriptedChanges, scriptSession } from '../../test/fixtures/cacheScript';
import { anthropicCapture, claudeCodeRecords } from '../../test/fixtures/cacheTranscripts';
import { openSample } from './openSample';
import { table } from './tables';

/** The results of one file. */
interface FileCauses {
  readonly name: string;
  readonly format: string;
  readonly recorded: CacheReport;
  /** As if the provider had said nothing. */
  readonly inferred: CacheReport;
  /** Seconds since the request before in the conversation whose usage is recorded; NaN where unknown. */
  readonly pauses: readonly number[];
}

async function causesOf(name: string, bytes: Uint8Array): Promise<FileCauses | undefined> {
  const session = await openSample(name, bytes);
  if (session === undefined) {
    return undefined;
  }
  const { columns } = session.toSession();
  const last = new Map<number, number>();
  const pauses = Array.from(columns.requests.timestamp, (time, request) => {
    const thread = columns.requests.thread[request] ?? 0;
    const pause = (time - (last.get(thread) ?? Number.NaN)) / 1000;
    last.set(thread, time);
    return pause;
  });
  return {
    name,
    format: session.transcript.format,
    recorded: await cacheQuestions(session).report(),
    inferred: await cacheQuestions(session).inferredReport(),
    pauses,
  };
}

async function allOf(files: readonly string[]): Promise<readonly FileCauses[]> {
  const all: FileCauses[] = [];
  for (const file of files) {
    const found = await causesOf(basename(file), readFileSync(file));
    if (found !== undefined) {
      all.push(found);
    }
  }
  return all;
}

async function scripted(): Promise<readonly FileCauses[]> {
  const all: FileCauses[] = [];
  for (const first of scriptedChanges) {
    for (const second of scriptedChanges) {
      // Requests that are sent at once have no reply to compare with.
      if (first !== 'parallel' && second !== 'parallel') {
        for (const write of [anthropicCapture, claudeCodeRecords]) {
          const bytes = new TextEncoder().encode(write(scriptSession([first, second]), true));
          const found = await causesOf(`${first} and ${second}`, bytes);
          all.push(...(found === undefined ? [] : [found]));
        }
      }
    }
  }
  return all;
}

interface Deviation {
  readonly file: FileCauses;
  readonly boundary: RequestBoundary;
  readonly finding: CacheFinding | undefined;
}

/** Requests whose recorded boundary is not where it was predicted. */
function deviationsOf(file: FileCauses): readonly Deviation[] {
  const findings = new Map(file.inferred.findings.map(finding => [finding.request, finding]));
  return file.inferred.boundaries
    .filter(({ agreement }) => agreement === 'short' || agreement === 'beyond')
    .map(boundary => ({ file, boundary, finding: findings.get(boundary.request) }));
}

const causeOf = ({ boundary, finding }: Deviation): string =>
  finding === undefined
    ? boundary.agreement === 'beyond'
      ? `more was read: ${boundary.surplus ?? 'unexplained'}`
      : 'unexplained'
    : `${finding.causes.join(' + ')} (${finding.certainty})`;

/** One line for each deviation, for a person to judge. */
export async function listDeviations(files: readonly string[]): Promise<readonly string[]> {
  return (await allOf(files)).flatMap(deviationsOf).map(deviation => {
    const { file, boundary, finding } = deviation;
    const { request, recorded, readable, predicted } = boundary;
    return [
      `${file.name} ${request}`,
      `read ${recorded} of ${readable}, predicted ${predicted.tokens} (${predicted.reason})`,
      `${Math.round(file.pauses[request] ?? Number.NaN)} s`,
      causeOf(deviation),
      ...(finding?.evidence ?? []),
    ].join(' | ');
  });
}

const share = (part: number, whole: number): string =>
  whole === 0 ? '–' : `${((100 * part) / whole).toFixed(1)} %`;
const sumOf = <Item>(items: readonly Item[], figure: (item: Item) => number): number =>
  items.reduce((sum, item) => sum + figure(item), 0);

function agreementTable(files: readonly FileCauses[]): string {
  const pairs = files.flatMap(({ recorded, inferred }) => {
    const said = new Map(recorded.boundaries.map(({ request, diagnosis }) => [request, diagnosis]));
    return inferred.findings.flatMap(({ request, causes }) => {
      const diagnosis = said.get(request);
      const agrees =
        diagnosis === undefined ? [] : causes.flatMap(cause => agreesWith(diagnosis, cause) ?? []);
      return diagnosis === undefined || agrees.length === 0
        ? []
        : [{ type: diagnosis.type, agrees: agrees.some(Boolean) }];
    });
  });
  const rows = [...groupBy(pairs, ({ type }) => type)].map(([type, list]) => {
    const agreeing = list.filter(({ agrees }) => agrees).length;
    return [type, list.length, agreeing, share(agreeing, list.length)];
  });
  return rows.length === 0
    ? 'No request of these has both a verdict and a finding.'
    : table(['Recorded verdict', 'Findings', 'Inferred cause agrees', 'Share'], rows);
}

function boundaryTable(files: readonly FileCauses[]): string {
  return table(
    [
      'Format',
      'Files',
      'Boundaries',
      'As predicted',
      'With a cause',
      'Both',
      'Cause not known',
      'Unexplained',
    ],
    [...groupBy(files, ({ format }) => format)].flatMap(([format, list]) => {
      const compared = sumOf(list, ({ inferred }) => inferred.agreement.compared);
      const agreeing = sumOf(list, ({ inferred }) => inferred.agreement.agreeing);
      const deviations = list.flatMap(deviationsOf);
      const open = deviations.filter(deviation => /^unexplained|: unexplained$/.test(causeOf(deviation)));
      const unknown = deviations.filter(({ finding }) => finding?.causes[0] === 'unknown');
      const named = deviations.length - open.length - unknown.length;
      return compared === 0
        ? []
        : [
            [
              format,
              list.length,
              compared,
              share(agreeing, compared),
              share(named, compared),
              share(agreeing + named, compared),
              unknown.length,
              open.length,
            ],
          ];
    }),
  );
}

function causeTable(files: readonly FileCauses[]): string {
  const deviations = files.flatMap(deviationsOf);
  return table(
    ['Format', 'Cause', 'Deviations'],
    [...groupBy(deviations, deviation => `${deviation.file.format}|${causeOf(deviation)}`)]
      .map(([key, list]) => [...key.split('|'), list.length] as const)
      .sort(
        (first, second) =>
          String(first[0]).localeCompare(String(second[0])) || Number(second[2]) - Number(first[2]),
      ),
  );
}

/** Tokens that were paid for again, by the first cause. */
function lossTable(files: readonly FileCauses[]): string {
  const findings = files.flatMap(({ recorded }) => recorded.findings);
  const all = sumOf(findings, ({ tokensLost }) => tokensLost);
  return table(
    ['Cause', 'Certainty', 'Findings', 'Tokens lost', 'Share'],
    [...groupBy(findings, ({ causes: [first], certainty }) => `${first}|${certainty}`)]
      .map(([key, list]) => ({ key, list, lost: sumOf(list, ({ tokensLost }) => tokensLost) }))
      .sort((one, other) => other.lost - one.lost)
      .map(({ key, list, lost }) => [...key.split('|'), list.length, lost, share(lost, all)]),
  );
}

/** The record that would name the cause of a loss. */
function missingOf({ causes: [first], read, evidence }: CacheFinding): string | undefined {
  if (first === 'unknown') {
    return 'texts between the messages';
  }
  if (first !== 'unrecordedChanged') {
    return undefined;
  }
  if (evidence.some(fact => fact.includes('changed back'))) {
    return 'prompt or tools, which may have changed back';
  }
  return read === 0
    ? 'prompt or tools, or the whole entry: nothing was read'
    : 'prompt or tools: the read ended there';
}

/** Losses without a cause on record, by what the record lacks. */
function missingTable(files: readonly FileCauses[]): string {
  const found = files.flatMap(({ format, recorded }) =>
    recorded.findings.flatMap(finding => {
      const missing = missingOf(finding);
      return missing === undefined ? [] : [{ format, missing, finding }];
    }),
  );
  const isRanked = ({ possible }: CacheFinding): boolean =>
    possible.some(cause => cause === 'skillLoaded' || cause === 'toolsAdded' || cause === 'systemChanged');
  const isPause = ({ possible }: CacheFinding): boolean => possible.includes('lifetimeExpired');
  return table(
    [
      'Format',
      'Not on record',
      'Findings',
      'Tokens lost',
      'Something moved just before',
      'After a long pause',
    ],
    [...groupBy(found, ({ format, missing }) => `${format}|${missing}`)]
      .map(([key, list]) => ({ key, list, lost: sumOf(list, ({ finding }) => finding.tokensLost) }))
      .sort((one, other) => other.lost - one.lost)
      .map(({ key, list, lost }) => [
        ...key.split('|'),
        list.length,
        lost,
        list.filter(({ finding }) => isRanked(finding)).length,
        list.filter(({ finding }) => isPause(finding)).length,
      ]),
  );
}

const byHand = '## Before and after';

/** The document. What a person has written in it from this heading on stays. */
export async function causesDocument(paths: readonly string[], path: string): Promise<string> {
  const files = await allOf(paths);
  const made = await scripted();
  const before = existsSync(path) ? readFileSync(path, 'utf8') : '';
  const kept = before.includes(byHand) ? before.slice(before.indexOf(byHand)) : `${byHand}\n`;
  return `# Causes of lost cache, inferred and recorded

Made by \`npm run cache-causes -w research -- FILE|FOLDER…\`; the sections from *Before and after* on are written by hand. The figures are from ${files.length} recorded sessions and from ${made.length} scripted ones, in which a simulated provider reports the cause.

## Inferred causes against the provider's verdicts

The verdicts were hidden while the causes were inferred. Verdicts that name no cause are left out.

Scripted sessions:

${agreementTable(made)}

Recorded sessions:

${agreementTable(files)}

## Boundaries

Share of recorded boundaries at the predicted place, within 2 % or one block, and share of the others with a known cause.

${boundaryTable(files)}

## Deviations by cause

${causeTable(files)}

## Lost tokens by cause

${lossTable(files)}

## Unrecorded changes, by what is missing

Losses in a part that no record shows. The likeliest cause is a change in it; the other possibilities are listed with each finding.

${missingTable(files)}

${kept}`;
}
