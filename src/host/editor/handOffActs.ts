import * as vscode from 'vscode';
import { translate } from '../../core/base/translate';
import { type HandOffTarget, handOffTargets, targetAgents } from '../../core/handOff/targetNames';
import { type PruneRuleSet, pruneRuleSets } from '../../core/model/pruneConfig';
import type { InspectorAct } from '../../protocol/inspectorPage';
import type { HandOffManifest, WrittenHandOff } from '../../protocol/workerQuestions';
import { workspacePaths } from '../links/workspacePaths';
import { describeAnyError } from '../../node/files/fileErrors';
import { commandIds, manifestScheme } from '../manifest';
import { askForText, pick, showMessage, showProgress, typeInTerminal } from '../messages/userMessages';
import { chosenLevel } from './exportActs';
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
export async function handOffSession(document: TranscriptDocument, handed: HandedPlace): Promise<void> {
  const target = await askForTarget();
  const trim = target === undefined ? undefined : await askForTrim();
  const level =
    trim === undefined
      ? undefined
      : await chosenLevel(
          [
            { level: 'redacted', detail: translate('Each credential is replaced with [redacted: rule].') },
            { level: 'full', detail: translate('The file will contain every secret in the transcript.') },
          ],
          translate('Credentials in the session'),
        );
  if (target === undefined || trim === undefined || level === undefined) {
    return;
  }
  const [workingDirectory] = workspacePaths();
  const manifest = await showProgress(
    {
      location: vscode.ProgressLocation.Notification,
      title: translate('Finding out what {0} will receive', targetAgents[target]),
    },
    () =>
      document.ask({
        name: 'planHandOff',
        params: {
          ...handed,
          target,
          ...trim,
          keepSecrets: level === 'full',
          path: document.uri.fsPath,
          ...(workingDirectory === undefined ? {} : { workingDirectory }),
        },
      }),
  );
  await showManifest(target, manifest);
  confirm(document, target, manifest);
}

async function askForTarget(): Promise<HandOffTarget | undefined> {
  const chosen = await pick(
    handOffTargets.map(target => ({ target, label: targetAgents[target] })),
    translate('The agent that continues'),
  );
  return chosen?.target;
}

async function askForTrim(): Promise<Trim | undefined> {
  const chosen = await pick<{
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
  const text = await askForText({
    title: translate('Budget'),
    prompt: translate('The most tokens that the first request may have'),
    validateInput: typed =>
      /^[1-9]\d{0,11}$/.test(typed) ? undefined : translate('Enter a whole number, 1 or more.'),
  });
  return text === undefined ? undefined : { budget: Number(text) };
}

/** Shows the manifest as a read-only text beside the transcript. */
async function showManifest(target: HandOffTarget, { lines }: HandOffManifest): Promise<void> {
  const uri = vscode.Uri.from({
    scheme: manifestScheme,
    path: `/${translate('Hand-off to {0}', targetAgents[target])}.txt`,
    query: `${lines.join('\n')}\n`,
  });
  const text = await vscode.workspace.openTextDocument(uri);
  await vscode.window.showTextDocument(text, { viewColumn: vscode.ViewColumn.Beside, preview: true });
}

/** The notification stays until the user closes it; nothing waits for it. */
function confirm(document: TranscriptDocument, target: HandOffTarget, manifest: HandOffManifest): void {
  const saveAs = translate('Save As…');
  const install = translate('Install');
  const sentence = translate(
    'The first request of {0} will have {1}. Nothing is written yet.',
    targetAgents[target],
    manifest.total,
  );
  showMessage('information', sentence, saveAs, ...(manifest.canInstall ? [install] : []))
    .then(async chosen => {
      if (chosen === install) {
        return write(document, manifest, undefined);
      }
      const folder = chosen === saveAs ? await askForFolder() : undefined;
      return folder === undefined ? undefined : write(document, manifest, folder);
    })
    .then(undefined, (error: unknown) => {
      showMessage('error', describeAnyError(error));
    });
}

async function askForFolder(): Promise<string | undefined> {
  const [folder] =
    (await vscode.window.showOpenDialog({
      title: translate('The folder for the session'),
      openLabel: translate('Save Here'),
      canSelectFiles: false,
      canSelectFolders: true,
    })) ?? [];
  if (folder !== undefined && folder.scheme !== 'file') {
    throw new Error(translate('Sessions can only be saved on this machine.'));
  }
  return folder?.fsPath;
}

/** @param folder undefined for the agent's own */
async function write(
  document: TranscriptDocument,
  { plan }: HandOffManifest,
  folder: string | undefined,
): Promise<void> {
  const written = await showProgress(
    { location: vscode.ProgressLocation.Notification, title: translate('Writing the session') },
    () =>
      document.ask({
        name: 'writeHandOff',
        params: { plan, ...(folder === undefined ? {} : { folder }), notOver: document.uri.fsPath },
      }),
  );
  showWritten(written);
}

/** Says how to resume, and runs nothing: the user presses Enter in the terminal. */
function showWritten({ path, resume }: WrittenHandOff): void {
  const open = translate('Open');
  const copy = translate('Copy Command');
  const terminal = translate('Open Terminal');
  const sentence =
    resume === null
      ? translate('The session was saved: {0}', path)
      : translate('The session was saved: {0} To resume: {1}', path, resume);
  showMessage('information', sentence, ...(resume === null ? [open] : [copy, terminal, open])).then(
    async chosen => {
      if (chosen === open) {
        await vscode.commands.executeCommand(commandIds.open, vscode.Uri.file(path));
      } else if (resume !== null && chosen === copy) {
        await vscode.env.clipboard.writeText(resume);
      } else if (resume !== null && chosen === terminal) {
        typeInTerminal(resume);
      }
    },
    () => undefined,
  );
}
