import * as vscode from 'vscode';
import { providerPresets } from '../../backend/providers';
import { translate } from '../../core/base/translate';

/** The name of a key in VS Code's secret storage, the only place that holds it. */
const secretName = (provider: string): string => `contextInspector.apiKey.${provider}`;

export function keyOf(secrets: vscode.SecretStorage, provider: string): Thenable<string | undefined> {
  return secrets.get(secretName(provider));
}

/** Asks for a key and stores it. Without a provider, asks for the provider first. */
export async function setKey(secrets: vscode.SecretStorage, provider?: string): Promise<void> {
  const preset = providerPresets.find(({ id }) => id === provider) ?? (await choose(providerPresets));
  if (preset === undefined) {
    return;
  }
  const key = await vscode.window.showInputBox({
    title: translate('API Key for {0}', preset.name),
    prompt: translate('The key is kept in the secret storage of VS Code and is never shown again.'),
    password: true,
    ignoreFocusOut: true,
    validateInput: text => (text.trim() === '' ? translate('Enter a key.') : undefined),
  });
  if (key !== undefined && key.trim() !== '') {
    await secrets.store(secretName(preset.id), key.trim());
  }
}

/** Asks which of the stored keys to remove. */
export async function removeKey(secrets: vscode.SecretStorage): Promise<void> {
  const kept = [];
  for (const preset of providerPresets) {
    if ((await keyOf(secrets, preset.id)) !== undefined) {
      kept.push(preset);
    }
  }
  if (kept.length === 0) {
    vscode.window.showInformationMessage(translate('No API key is stored.'));
    return;
  }
  const preset = await choose(kept);
  if (preset !== undefined) {
    await secrets.delete(secretName(preset.id));
    vscode.window.showInformationMessage(translate('The API key for {0} was removed.', preset.name));
  }
}

async function choose<Preset extends { readonly name: string }>(
  presets: readonly Preset[],
): Promise<Preset | undefined> {
  const chosen = await vscode.window.showQuickPick(
    presets.map(preset => ({ label: preset.name, preset })),
    { title: translate('Provider') },
  );
  return chosen?.preset;
}
