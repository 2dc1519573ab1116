import * as vscode from 'vscode';
import { translate } from '../../core/base/translate';
import { type PruneOptions, changedMembers, pruneMemberNames } from '../../core/model/pruneConfig';
import type { UnpackLimits } from '../../core/reading/decoders/unpacking';
import type { WasteKind } from '../../core/waste/wasteKinds';
import { type AskSettings, askSettings } from './askSettings';
import { pruneOptionsFrom } from './pruneSettings';
import { bytesPerMegabyte, type SettingSection, settingId, settingReader } from './settingsTable';
import { type Log, showMessage } from '../messages/userMessages';

/** The user's settings. An invalid one is not used and is reported once. */
export class Configuration {
  private readonly reported = new Set<string>();

  constructor(private readonly log: Log) {}

  readonly get = settingReader(
    id => vscode.workspace.getConfiguration().get(id),
    problems => this.report(problems),
  );

  onDidChange(section: SettingSection, listener: () => void): vscode.Disposable {
    return vscode.workspace.onDidChangeConfiguration(event => {
      if (event.affectsConfiguration(settingId(section))) {
        listener();
      }
    });
  }

  pruneOptions(): PruneOptions {
    const { options, problems } = pruneOptionsFrom(valuesSet(pruneSettings()));
    this.report(problems);
    return options;
  }

  /** The settings for asking models. */
  asking(): AskSettings {
    return askSettings(this.get);
  }

  /** The limits for unpacking transcripts. */
  unpackLimits(): UnpackLimits {
    return {
      ratio: this.get('unpacking.ratio'),
      bytes: this.get('unpacking.megabytes') * bytesPerMegabyte,
    };
  }

  /** Writes them to the user's settings, so that they apply to every session. */
  async saveHiddenWaste(kinds: readonly WasteKind[]): Promise<void> {
    await vscode.workspace
      .getConfiguration()
      .update(
        settingId('hiddenWaste'),
        kinds.length === 0 ? undefined : [...kinds],
        vscode.ConfigurationTarget.Global,
      );
  }

  /** Writes the decision about the server of the tools to the user's settings. */
  async saveServer(decision: 'on' | 'off'): Promise<void> {
    await vscode.workspace
      .getConfiguration()
      .update(settingId('mcp.server'), decision, vscode.ConfigurationTarget.Global);
  }

  private report(problems: readonly string[]): void {
    const news = problems.filter(problem => !this.reported.has(problem));
    for (const problem of news) {
      this.reported.add(problem);
      this.log.warn(problem);
    }
    if (news.length > 0) {
      showMessage(
        'warning',
        translate('A Context Inspector setting is invalid and was ignored. {0}', news.join(' ')),
      );
    }
  }

  /**
   * Writes the differences to the workspace's settings if these already contain a prune option, otherwise to the
   * user's.
   */
  async savePruneOptions(options: PruneOptions): Promise<void> {
    const settings = pruneSettings();
    const inWorkspace = pruneMemberNames.some(key => settings.inspect(key)?.workspaceValue !== undefined);
    const target = inWorkspace ? vscode.ConfigurationTarget.Workspace : vscode.ConfigurationTarget.Global;
    const unchanged = pruneOptionsFrom({ ...valuesSet(settings), ruleSet: options.ruleSet }).options;
    await settings.update('ruleSet', options.ruleSet, target);
    for (const name of changedMembers(unchanged, options)) {
      await settings.update(name, options[name], target);
    }
  }
}

const pruneSettings = () => vscode.workspace.getConfiguration(settingId('prune'));

/** The settings that are set explicitly. Declared defaults do not count, because they depend on the rule set. */
function valuesSet(settings: vscode.WorkspaceConfiguration): Record<string, unknown> {
  const isSet = (key: string): boolean => {
    const values = settings.inspect(key);
    return [values?.globalValue, values?.workspaceValue, values?.workspaceFolderValue].some(
      value => value !== undefined,
    );
  };
  return Object.fromEntries(
    pruneMemberNames.filter(isSet).map(key => [key, settings.get<unknown>(key)] as const),
  );
}
