import { appendFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { providerAddress } from '../../backend/providerAddress';
import { type ProviderPreset, providerPreset, providerPresets } from '../../backend/providers';
import { translate } from '../../core/base/translate';
import { lookUpWith } from '../../core/tokens/userModels';
import type { AskNews, AskOffer, AskOrder, AskProvider } from '../../protocol/askMessages';
import type { AskSettings } from '../settings/askSettings';
import type { Configuration } from '../settings/configuration';
import { commandIds, viewType } from '../manifest';
import { providerEntry } from '../settings/providerSettings';
import type { TranscriptDocument } from '../editor/transcriptDocument';
import { registerCommand } from '../messages/userMessages';
import { keyOf, removeKey, setKey } from './apiKeys';
import { AskSession } from './askSession';
import { type Asker, providerAsker } from './asker';
import { languageModelAsker, languageModels, vscodeProvider } from './languageModels';

const loadBackend = () => import('../../backend/main');

/**
 * The shared parts of all editors for asking models: keys, settings, available models, and the folder of the replays.
 */
export class AskService implements vscode.Disposable {
  /** Folder of the replays. */
  private readonly replays: string;
  private readonly registrations: vscode.Disposable;

  constructor(
    private readonly secrets: vscode.SecretStorage,
    private readonly configuration: Configuration,
    storage: vscode.Uri,
  ) {
    this.replays = join(storage.fsPath, 'replays');
    this.registrations = vscode.Disposable.from(
      registerCommand(commandIds.setApiKey, () => setKey(secrets, this.originOf)),
      registerCommand(commandIds.removeApiKey, () => removeKey(secrets)),
      registerCommand(commandIds.openReplays, () => this.openReplays()),
    );
  }

  sessionOf(document: TranscriptDocument, post: (news: AskNews) => void): AskSession {
    return new AskSession({
      post,
      ask: document.ask,
      settings: () => this.configuration.asking(),
      modelFacts: model => lookUpWith(this.configuration.get('models'))(model) ?? {},
      offer: this.offer,
      asker: (order, maximumOutput) => this.asker(order, maximumOutput),
      loadBackend,
      key: (provider, origin) => keyOf(this.secrets, provider, origin),
      setKey: (provider, origin) =>
        setKey(this.secrets, origin === undefined ? this.originOf : () => origin, provider),
      keep: (name, line) => this.keep(name, line),
      openReplays: () => this.openReplays(),
    });
  }

  /** The models available now. */
  readonly offer = async (): Promise<AskOffer> => {
    if (!vscode.workspace.isTrusted) {
      return { refusal: 'untrusted', providers: [] };
    }
    const given = this.configuration.asking();
    if (!given.enabled) {
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
  };

  dispose(): void {
    this.registrations.dispose();
  }

  /** Scheme, host and port in the settings for a provider. */
  private readonly originOf = ({ id, baseUrl }: ProviderPreset): string =>
    providerAddress(providerEntry(this.configuration.get('asking.providers'), id).baseUrl ?? baseUrl).origin;

  private async asker({ provider, model }: AskOrder, maximumOutput: number): Promise<Asker> {
    const lookUp = lookUpWith(this.configuration.get('models'));
    const { createTarget } = await loadBackend();
    if (provider === vscodeProvider) {
      return languageModelAsker(createTarget, { id: model, maximumOutput, lookUp });
    }
    const preset = providerPreset(provider);
    if (preset === undefined) {
      throw new Error(translate('Provider {0} is unknown.', provider));
    }
    const { baseUrl } = providerEntry(this.configuration.get('asking.providers'), provider);
    return providerAsker(createTarget({ preset, model, baseUrl, maximumOutput, lookUp }));
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

/** Empty for an invalid entry; the error is reported when the entry is needed. */
function modelOf({ providers }: AskSettings, id: string): string {
  try {
    return providerEntry(providers, id).model ?? '';
  } catch {
    return '';
  }
}
