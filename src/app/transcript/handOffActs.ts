import { translate } from '../../core/base/translate';
import { type HandOffTarget, handOffTargets, targetAgents } from '../../core/handOff/targetNames';
import { type PruneRuleSet, pruneRuleSets } from '../../core/model/pruneConfig';
import type { InspectorAct } from '../../protocol/inspectorPage';
import type { HandOffManifest, WrittenHandOff } from '../../protocol/workerQuestions';
import { describeAnyError } from '../../node/files/fileErrors';
import { pathToFileURL } from 'node:url';
import type { Desk } from '../desk';
import { chosenLevel } from './exportActs';
import type { ActTools } from './transcriptActs';
import type { TranscriptDocument } from './transcriptDocument';

type HandedPlace = Pick<Extract<InspectorAct, { kind: 'handOff' }>, 'request' | 'isWhole'>;

/** How much of a session is handed off. */
interface Trim {
  readonly rules?: PruneRuleSet;
  readonly budget?: number;
}

/**
 * Asks for the agent and for what it gets, shows what it will receive, and writes the session only after that, where the
 * user wants it.
 */
export async function handOffSession(
  document: TranscriptDocument,
  handed: HandedPlace,
  { desk, surroundings }: ActTools,
): Promise<void> {
  const target = await askForTarget(desk);
  const trim = target === undefined ? undefined : await askForTrim(desk);
  const level =
    trim === undefined
      ? undefined
      : await chosenLevel(
          desk,
          [
            { level: 'redacted', detail: translate('Each credential is replaced with [redacted: rule].') },
            { level: 'full', detail: translate('The file will contain every secret in the transcript.') },
          ],
          translate('Credentials in the session'),
        );
  if (target === undefined || trim === undefined || level === undefined) {
    return;
  }
  const [workingDirectory] = surroundings.folders();
  const manifest = await desk.progress(
    { title: translate('Finding out what {0} will receive', targetAgents[target]) },
    () =>
      document.ask({
        name: 'planHandOff',
        params: {
          ...handed,
          target,
          ...trim,
          keepSecrets: level === 'full',
          path: document.path,
          ...(workingDirectory === undefined ? {} : { workingDirectory }),
        },
      }),
  );
  await desk.openText(
    translate('Hand-off to {0}.txt', targetAgents[target]),
    `${manifest.lines.join('\n')}\n`,
  );
  confirm(document, { target, manifest, desk });
}

async function askForTarget(desk: Desk): Promise<HandOffTarget | undefined> {
  const chosen = await desk.choose(
    handOffTargets.map(target => ({ target, label: targetAgents[target] })),
    translate('The agent that continues'),
  );
  return chosen?.target;
}

async function askForTrim(desk: Desk): Promise<Trim | undefined> {
  const chosen = await desk.choose<{
    readonly label: string;
    readonly detail?: string;
    readonly rules?: PruneRuleSet;
    readonly isBudget?: boolean;
  }>(
    [
      { label: translate('Everything') },
      {
        label: translate('Within a budget of tokens…'),
        detail: translate(
          'Prunes results: first waste, then the largest and oldest. What edits rest on stays.',
        ),
        isBudget: true,
      },
      ...pruneRuleSets.map(rules => ({
        label: translate('Pruned by the rules of {0}', rules),
        rules,
      })),
    ],
    translate('How much to hand off'),
  );
  if (chosen?.isBudget !== true) {
    return chosen?.rules === undefined ? chosen && {} : { rules: chosen.rules };
  }
  const text = await desk.text({
    title: translate('Budget'),
    prompt: translate('The most tokens that the first request may have'),
    problemOf: typed =>
      /^[1-9]\d{0,11}$/.test(typed) ? undefined : translate('Enter a whole number, 1 or more.'),
  });
  return text === undefined ? undefined : { budget: Number(text) };
}

/** The message stays until the user closes it; nothing waits for it. */
function confirm(
  document: TranscriptDocument,
  {
    target,
    manifest,
    desk,
  }: { readonly target: HandOffTarget; readonly manifest: HandOffManifest; readonly desk: Desk },
): void {
  const saveAs = translate('Save As…');
  const install = translate('Install');
  const sentence = translate(
    'The first request of {0} will have {1}. Nothing is written yet.',
    targetAgents[target],
    manifest.total,
  );
  desk
    .say('information', sentence, saveAs, ...(manifest.canInstall ? [install] : []))
    .then(async chosen => {
      if (chosen === install) {
        return write(document, manifest, undefined, desk);
      }
      const folder =
        chosen === saveAs
          ? await desk.folder({
              title: translate('The folder for the session'),
              label: translate('Save Here'),
            })
          : undefined;
      return folder === undefined ? undefined : write(document, manifest, folder, desk);
    })
    .then(undefined, (error: unknown) => {
      desk.say('error', describeAnyError(error));
    });
}

/** @param folder undefined for the agent's own */
async function write(
  document: TranscriptDocument,
  { plan }: HandOffManifest,
  folder: string | undefined,
  desk: Desk,
): Promise<void> {
  const written = await desk.progress({ title: translate('Writing the session') }, () =>
    document.ask({
      name: 'writeHandOff',
      params: {
        plan,
        ...(folder === undefined ? {} : { folder }),
        notOver: document.path,
      },
    }),
  );
  showWritten(written, desk);
}

/** Says how to resume, and runs nothing: the user presses Enter in the terminal. */
function showWritten({ path, resume }: WrittenHandOff, desk: Desk): void {
  const open = translate('Open');
  const copy = translate('Copy Command');
  const terminal = translate('Open Terminal');
  const sentence =
    resume === null
      ? translate('The session was saved: {0}', path)
      : translate('The session was saved: {0} To resume: {1}', path, resume);
  const { typeCommand } = desk;
  const ways = [copy, ...(typeCommand === undefined ? [] : [terminal])];
  desk.say('information', sentence, ...(resume === null ? [] : ways), open).then(
    async chosen => {
      if (chosen === open) {
        await desk.show(pathToFileURL(path).href);
      } else if (resume !== null && chosen === copy) {
        await desk.copy(resume);
      } else if (resume !== null && chosen === terminal) {
        typeCommand?.(resume);
      }
    },
    () => undefined,
  );
}
