import * as vscode from 'vscode';
import { providerPresets } from '../../backend/providers';

/** Where a key is in VS Code's secret storage, and nowhere else. */
const secretName = (provider: string): string => `contextInspector.apiKey.${provider}`;

export function keyOf(secrets: vscode.SecretStorage, provider: string): Thenable<string | undefined> {
  return secrets.get(secretName(provider));
}

/** Asks for a key and keeps it; for a provider that is chosen first where none is given. */
export async function setKey(secrets: vscode.SecretStorage, provider?: string): Promise<void> {
  const preset = providerPresets.find(({ id }) => id === provider) ?? (await choose(providerPresets));
  if (preset === undefined) {
    return;
  }
  const key = await vscode.window.showInputBox({
    title: vscode.l10n.t('API Key for {0}', preset.name),
    prompt: vscode.l10n.t('It is kept in the secret storage of VS Code and never shown again.'),
    password: true,
    ignoreFocusOut: true,
    validateInput: text =>
      text.trim() === '' ? vscode.l10n.t('A key has at least one character.') : undefined,
  });
  if (key !== undefined && key.trim() !== '') {
    await secrets.store(secretName(preset.id), key.trim());
  }
}

/** Asks whose key is to go, of those that are kept. */
export async function removeKey(secrets: vscode.SecretStorage): Promise<void> {
  const kept = [];
  for (const preset of providerPresets) {
    if ((await keyOf(secrets, preset.id)) !== undefined) {
      kept.push(preset);
    }
  }
  if (kept.length === 0) {
    vscode.window.showInformationMessage(vscode.l10n.t('No API key is kept.'));
    return;
  }
  const preset = await choose(kept);
  if (preset !== undefined) {
    await secrets.delete(secretName(preset.id));
    vscode.window.showInformationMessage(vscode.l10n.t('The API key for {0} is removed.', preset.name));
  }
}

async function choose<Preset extends { readonly name: string }>(
  presets: readonly Preset[],
): Promise<Preset | undefined> {
  const chosen = await vscode.window.showQuickPick(
    presets.map(preset => ({ label: preset.name, preset })),
    { title: vscode.l10n.t('Provider') },
  );
  return chosen?.preset;
}
