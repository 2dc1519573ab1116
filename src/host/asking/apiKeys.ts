import * as vscode from 'vscode';
import { providerAddress } from '../../backend/providerAddress';
import { type ProviderPreset, providerPresets } from '../../backend/providers';
import { translate } from '../../core/base/translate';
import type { AskService, Keys } from '../../app/asking/askService';
import type { Desk } from '../../app/desk';
import { commandIds } from '../manifest';
import { askForText, pick, registerCommand, showMessage } from '../messages/userMessages';
import { boundKey, keyFor } from './boundKey';

/** The name of a key in VS Code's secret storage, the only place that holds it. */
const secretName = (provider: string): string => `contextInspector.apiKey.${provider}`;

/** The keys in VS Code's secret storage. */
export function storedKeys(secrets: vscode.SecretStorage): Keys {
  return {
    keyOf: async ({ id, baseUrl }, origin) =>
      keyFor(origin, await secrets.get(secretName(id)), providerAddress(baseUrl).origin),
    askFor: (_, originOf, provider) => setKey(secrets, originOf, provider),
  };
}

/** The commands that have to do with keys and replays. */
export function registerKeyCommands({
  secrets,
  askService,
  desk,
}: {
  readonly secrets: vscode.SecretStorage;
  readonly askService: AskService;
  readonly desk: Desk;
}): vscode.Disposable {
  return vscode.Disposable.from(
    registerCommand(commandIds.setApiKey, () => setKey(secrets, askService.originOf)),
    registerCommand(commandIds.removeApiKey, () => removeKey(secrets)),
    registerCommand(commandIds.openReplays, () => askService.openReplays(desk)),
  );
}

/**
 * Asks for a key and stores it for one origin, replacing the provider's earlier key. Without a provider, asks for the
 * provider first.
 * @param originOf returns the origin in the settings for a provider
 */
async function setKey(
  secrets: vscode.SecretStorage,
  originOf: (preset: ProviderPreset) => string,
  provider?: string,
): Promise<void> {
  const preset = providerPresets.find(({ id }) => id === provider) ?? (await choose(providerPresets));
  if (preset === undefined) {
    return;
  }
  const origin = originOf(preset);
  const key = await askForText({
    title: translate('API Key for {0}', preset.name),
    prompt: translate(
      'The key is sent only to {0}. It is kept in the secret storage of VS Code and is never shown again.',
      origin,
    ),
    isSecret: true,
    problemOf: text => (text.trim() === '' ? translate('Enter a key.') : undefined),
  });
  if (key !== undefined && key.trim() !== '') {
    await secrets.store(secretName(preset.id), boundKey(key.trim(), origin));
  }
}

/** Asks which of the stored keys to remove. */
async function removeKey(secrets: vscode.SecretStorage): Promise<void> {
  const kept = [];
  for (const preset of providerPresets) {
    if ((await secrets.get(secretName(preset.id))) !== undefined) {
      kept.push(preset);
    }
  }
  if (kept.length === 0) {
    showMessage('information', translate('No API key is stored.'));
    return;
  }
  const preset = await choose(kept);
  if (preset !== undefined) {
    await secrets.delete(secretName(preset.id));
    showMessage('information', translate('The API key for {0} was removed.', preset.name));
  }
}

async function choose<Preset extends { readonly name: string }>(
  presets: readonly Preset[],
): Promise<Preset | undefined> {
  const chosen = await pick(
    presets.map(preset => ({ label: preset.name, preset })),
    translate('Provider'),
  );
  return chosen?.preset;
}
