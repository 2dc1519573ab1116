import { appendFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { providerPreset, providerPresets } from '../../backend/providers';
import { translate } from '../../core/base/translate';
import type { ModelLookUp } from '../../core/tokens/modelTable';
import { lookUpWith, type UserModels } from '../../core/tokens/userModels';
import type { AskNews, AskOffer, AskOrder, AskProvider } from '../../protocol/askMessages';
import { askingSection, askingSettingKeys, commandIds, viewType } from '../manifest';
import type { TranscriptDocument } from '../transcriptDocument';
import { keyOf, removeKey, setKey } from './apiKeys';
import { AskSession } from './askSession';
import { type AskSettings, askSettings, providerEntry } from './askSettings';
import { type Asker, providerAsker } from './asker';
import { languageModelAsker, languageModels, vscodeProvider } from './languageModels';

const loadBackend = () => import('../../backend/main');

/** What all editors share for asking models: keys, settings, available models, and the folder of the replays. */
export class AskService implements vscode.Disposable {
  /** Folder of the replays. */
  private readonly replays: string;
  private readonly registrations: vscode.Disposable;

  /** @param models the user's settings for models */
  constructor(
    private readonly secrets: vscode.SecretStorage,
    private readonly models: () => UserModels,
    storage: vscode.Uri,
  ) {
    this.replays = join(storage.fsPath, 'replays');
    this.registrations = vscode.Disposable.from(
      vscode.commands.registerCommand(commandIds.setApiKey, () => setKey(secrets)),
      vscode.commands.registerCommand(commandIds.removeApiKey, () => removeKey(secrets)),
      vscode.commands.registerCommand(commandIds.openReplays, () => this.openReplays()),
    );
  }

  sessionOf(document: TranscriptDocument, post: (news: AskNews) => void): AskSession {
    return new AskSession({
      post,
      ask: document.ask,
      settings,
      modelFacts: model => lookUpWith(this.models())(model) ?? {},
      offer,
      asker: (order, maximumOutput) => asker(order, maximumOutput, lookUpWith(this.models())),
      loadBackend,
      key: provider => Promise.resolve(keyOf(this.secrets, provider)),
      setKey: provider => setKey(this.secrets, provider),
      keep: (name, line) => this.keep(name, line),
      openReplays: () => this.openReplays(),
    });
  }

  /** The models that can be asked now. */
  readonly offer = offer;

  dispose(): void {
    this.registrations.dispose();
  }

  private async keep(name: string, line: string): Promise<string> {
    await mkdir(this.replays, { recursive: true, mode: 0o700 });
    const path = join(this.replays, name);
    // A request may contain anything that the transcript contains.
    await appendFile(path, line, { mode: 0o600 });
    return path;
  }

  private async openReplays(): Promise<void> {
    await mkdir(this.replays, { recursive: true, mode: 0o700 });
    const chosen = await vscode.window.showOpenDialog({
      title: translate('Open a Replay'),
      defaultUri: vscode.Uri.file(this.replays),
      filters: { [translate('Replays')]: ['jsonl'] },
    });
    if (chosen?.[0] !== undefined) {
      await vscode.commands.executeCommand('vscode.openWith', chosen[0], viewType);
    }
  }
}

function settings(): AskSettings {
  const section = vscode.workspace.getConfiguration(askingSection);
  const [enabled, ...rest] = askingSettingKeys;
  return askSettings({
    isOn: section.get<unknown>(enabled),
    ...Object.fromEntries(rest.map(key => [key, section.get<unknown>(key)] as const)),
  });
}

async function offer(): Promise<AskOffer> {
  if (!vscode.workspace.isTrusted) {
    return { refusal: 'untrusted', providers: [] };
  }
  const given = settings();
  if (!given.isOn) {
    return { refusal: 'off', providers: [] };
  }
  const models = await languageModels();
  const ofVscode: readonly AskProvider[] =
    models.length === 0
      ? []
      : [
          {
            id: vscodeProvider,
            name: translate('VS Code models'),
            model: '',
            models: models.map(({ id }) => id),
            counts: false,
          },
        ];
  return {
    providers: [
      ...providerPresets.map(({ id, name, counts }) => ({
        id,
        name,
        model: modelOf(given, id),
        models: [],
        counts,
      })),
      ...ofVscode,
    ],
  };
}

/** Empty for an invalid entry; the error is reported when the entry is needed. */
function modelOf(given: AskSettings, id: string): string {
  try {
    return providerEntry(given, id).model ?? '';
  } catch {
    return '';
  }
}

async function asker(
  { provider, model }: AskOrder,
  maximumOutput: number,
  lookUp: ModelLookUp,
): Promise<Asker> {
  const { createTarget } = await loadBackend();
  if (provider === vscodeProvider) {
    return languageModelAsker(createTarget, { id: model, maximumOutput, lookUp });
  }
  const preset = providerPreset(provider);
  if (preset === undefined) {
    throw new Error(translate('There is no provider {0}.', provider));
  }
  const { baseUrl } = providerEntry(settings(), provider);
  return providerAsker(createTarget({ preset, model, baseUrl, maximumOutput, lookUp }));
}
