import { randomUUID } from 'node:crypto';
import { resolve } from 'node:path';
import { translate } from '../../core/base/translate';
import { handOff as planHandOff, type HandOff, writtenSession } from '../../core/handOff/handOff';
import type { Manifest } from '../../core/handOff/manifest';
import { manifestLines } from '../../core/handOff/manifestWords';
import type { SummaryMaker } from '../../core/handOff/summary';
import { handOffTargets } from '../../core/handOff/targets';
import { defaultPruneOptions, pruneRuleSets } from '../../core/model/pruneConfig';
import { noRequest } from '../../core/view/requestNames';
import { describeFileError } from '../../node/files/fileErrors';
import { type HandOffPlace, handOffPath, makeFolderOf, resumeCommand } from '../../node/sessions/handOffFile';
import { secretScanner } from '../../node/secrets/secretScannerOnDemand';
import { command, type ExitCode, print, UsageError } from '../command';
import {
  choice,
  conversationOption,
  flag,
  jsonOption,
  modelsOption,
  option,
  secretsOption,
} from '../options/options';
import { formatOption } from '../options/transcriptOptions';
import { readOneOf, readWhole, refuse } from '../options/values';
import { outputOf } from '../output/outputOf';
import { writeOutput } from '../output/output';
import { inLines } from '../output/words';
import { atRequest } from '../sessions/transcripts';

/** The output of `hand-off --json`. */
interface HandOffReport extends Manifest {
  /** The index of the request in its conversation; null if everything up to the end is handed off. */
  readonly from: number | null;
  /** Null if only the manifest was asked for. */
  readonly written: { readonly path: string; readonly id: string; readonly resume: string | null } | null;
}

export const handOff = command({
  name: 'hand-off',
  summary: translate(
    'Writes a session for another agent, which can resume it. First shows what that agent will receive, what is converted or lost, and what its first request costs.',
  ),
  example: 'session.jsonl --to claude-code --install',
  options: {
    to: choice(
      'AGENT',
      handOffTargets,
      translate('The agent that continues: {0}.', handOffTargets.join(', ')),
    ),
    from: option(
      'N',
      translate(
        'Hand off what the model had in this request of the conversation, counted from 0. Default: everything up to the end.',
      ),
    ),
    trim: choice(
      'RULES',
      pruneRuleSets,
      translate('Prune old results by these rules: {0}.', pruneRuleSets.join(', ')),
    ),
    budget: option(
      'TOKENS',
      translate(
        'Prune results until the first request takes at most so many tokens: first waste, then the largest and oldest. What edits rest on stays.',
      ),
    ),
    summary: option(
      'COMMAND',
      translate(
        'Replace everything before the newest three replies with a summary. When the session is written, this command of a shell gets the text on its standard input and prints the summary, for example: claude -p',
      ),
    ),
    model: option(
      'ID',
      translate('Model that the agent will use, for tokens and cost. Default: the recorded one, if it fits.'),
    ),
    out: option('FOLDER', translate('Write the session to this folder.')),
    install: flag(translate('Write the session to the folder where the agent keeps its sessions.')),
    ...secretsOption,
    ...conversationOption,
    ...modelsOption,
    ...formatOption,
    ...jsonOption,
  },
  run: (values, file) => {
    refuse(values.out !== undefined && values.install === true, '--out', '--install');
    if (values.to === undefined) {
      throw new UsageError(translate('Name the agent with --to: {0}.', handOffTargets.join(', ')));
    }
    const target = readOneOf('--to', values.to, handOffTargets);
    const rules = values.trim === undefined ? undefined : readOneOf('--trim', values.trim, pruneRuleSets);
    const budget = readWhole('--budget', values.budget, 1, undefined);
    const { conversation, models, format } = values;
    return atRequest(
      file,
      { conversation, models, format, request: values.from },
      async ({ session, request, index }): Promise<ExitCode> => {
        const isWhole = values.from === undefined;
        const place = placeOf(values);
        const planned = await planHandOff(session, target, {
          request,
          isWhole,
          prune: rules === undefined ? undefined : defaultPruneOptions(rules),
          budget,
          summary: summaryMaker(values.summary, place !== undefined),
          model: values.model,
          redactWith: values['keep-secrets'] === true ? undefined : secretScanner,
          path: resolve(file),
          workingDirectory: process.cwd(),
          time: Date.now(),
          newId: randomUUID,
        });
        if (!planned.ok) {
          const sentence =
            planned.reason === 'noRequest'
              ? noRequest(request)
              : translate('The request has nothing that can be handed off.');
          throw new UsageError(`${file}: ${sentence}`);
        }
        const written = place === undefined ? null : await writeSession(planned, place, file);
        const report: HandOffReport = { from: isWhole ? null : index, ...planned.manifest, written };
        await print(values.json, report, () =>
          inLines([
            ...manifestLines(planned.manifest, {
              model: translate('Name it with --model.'),
              less: translate('To prune old results: --trim or --budget.'),
            }),
            '',
            written === null
              ? translate('Nothing was written. Add --install, or --out FOLDER.')
              : written.resume === null
                ? translate('Wrote {0}.', written.path)
                : translate('Wrote {0}. To resume: {1}', written.path, written.resume),
          ]),
        );
        return 0;
      },
    );
  },
});

/** The command runs only if the session is written: it costs money, and sends the text to a model. */
function summaryMaker(command: string | undefined, isWritten: boolean): SummaryMaker | undefined {
  return command === undefined ? undefined : isWritten ? text => summaryBy(command, text) : 'planned';
}

async function summaryBy(command: string, text: string): Promise<string> {
  const result = await outputOf(command, text);
  if (!result.ok) {
    throw new UsageError(translate('No summary from {0}: {1}', command, result.reason));
  }
  return result.output;
}

/** Where to write; undefined if only the manifest is asked for. */
function placeOf({
  install,
  out,
}: {
  readonly install?: boolean | undefined;
  readonly out?: string | undefined;
}): HandOffPlace | undefined {
  return install === true
    ? { kind: 'agent' }
    : out === undefined
      ? undefined
      : { kind: 'folder', folder: out };
}

async function writeSession(
  planned: HandOff,
  place: HandOffPlace,
  transcript: string,
): Promise<NonNullable<HandOffReport['written']>> {
  const path = handOffPath(planned, place);
  if (path === undefined) {
    const { agent } = planned.facts;
    throw new UsageError(
      translate('{0} adds sessions itself: use --out, and the command that is named then.', agent),
    );
  }
  await makeFolderOf(path).catch((error: unknown) => {
    throw new UsageError(`${path}: ${describeFileError(error)}`);
  });
  await writeOutput(path, writtenSession(planned), { transcript, force: false, check: undefined });
  return { path, id: planned.session.id, resume: resumeCommand(planned, path, place) };
}
