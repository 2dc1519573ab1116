import * as vscode from 'vscode';
import { translate } from '../core/base/translate';
import type { AddedFolder } from '../core/finder/pathMapping';
import { type PruneOptions, changedMembers, pruneMemberNames } from '../core/model/pruneConfig';
import type { UnpackLimits } from '../core/reading/decoders/unpacking';
import { type UserModels, parseUserModels } from '../core/tokens/userModels';
import type { WasteKind } from '../core/waste/wasteKinds';
import { thisMachine } from '../node/thisMachine';
import { type AskSettings, askProblems, askSettings } from './askSettings';
import {
  askingSection,
  askingSettingKeys,
  hiddenWasteSetting,
  indexSetting,
  liveSection,
  modelsSetting,
  personalDataSetting,
  pruneSection,
  sessionsFoldersSetting,
  unpackingSection,
} from './manifest';
import {
  type LiveSettings,
  type ReadSetting,
  hasIndexFrom,
  hiddenWasteFrom,
  liveSettingsFrom,
  personalDataFrom,
  sessionFoldersFrom,
  unpackLimitsFrom,
} from './plainSettings';
import { pruneOptionsFrom } from './pruneSettings';
import { type Log, showMessage } from './userMessages';

/** The user's settings: prune options, models, asking models, and folders of sessions. */
export class Configuration implements vscode.Disposable {
  private readonly emitter = new vscode.EventEmitter<PruneOptions>();
  readonly onDidChangePruneOptions = this.emitter.event;
  private readonly modelsEmitter = new vscode.EventEmitter<undefined>();
  readonly onDidChangeModels = this.modelsEmitter.event;
  private readonly liveEmitter = new vscode.EventEmitter<undefined>();
  readonly onDidChangeLive = this.liveEmitter.event;
  private readonly indexEmitter = new vscode.EventEmitter<undefined>();
  readonly onDidChangeIndex = this.indexEmitter.event;
  private readonly hiddenWasteEmitter = new vscode.EventEmitter<readonly WasteKind[]>();
  readonly onDidChangeHiddenWaste = this.hiddenWasteEmitter.event;
  private readonly reported = new Set<string>();
  private readonly subscription = vscode.workspace.onDidChangeConfiguration(event => {
    if (event.affectsConfiguration(pruneSection)) {
      this.emitter.fire(this.pruneOptions());
    }
    if (event.affectsConfiguration(modelsSetting)) {
      this.modelsEmitter.fire(undefined);
    }
    if (event.affectsConfiguration(liveSection)) {
      this.liveEmitter.fire(undefined);
    }
    if (event.affectsConfiguration(indexSetting)) {
      this.indexEmitter.fire(undefined);
    }
    if (event.affectsConfiguration(hiddenWasteSetting)) {
      this.hiddenWasteEmitter.fire(this.hiddenWaste());
    }
  });

  constructor(private readonly log: Log) {}

  /** An invalid setting counts as not set and is reported once. */
  pruneOptions(): PruneOptions {
    const settings = vscode.workspace.getConfiguration(pruneSection);
    const { options, problems } = pruneOptionsFrom(valuesSet(settings));
    this.report(problems);
    return options;
  }

  /** The user's settings for models. Invalid entries are left out and reported once. */
  models(): UserModels {
    const { models, problems } = parseUserModels(
      vscode.workspace.getConfiguration().get<unknown>(modelsSetting) ?? {},
    );
    this.report(problems);
    return models;
  }

  /** Folders that are searched for sessions in addition to those of the agents. What names no folder is reported once. */
  sessionFolders(): readonly AddedFolder[] {
    const value = vscode.workspace.getConfiguration().get(sessionsFoldersSetting);
    return this.read(sessionFoldersFrom(value, thisMachine()));
  }

  /** The settings for asking models. Invalid ones are reported once. */
  asking(): AskSettings {
    const section = vscode.workspace.getConfiguration(askingSection);
    const values = Object.fromEntries(
      askingSettingKeys.map(key => [key, section.get<unknown>(key)] as const),
    );
    this.report(askProblems(values));
    return askSettings(values);
  }

  /** Kinds of waste that no list shows. What is no such kind is reported once. */
  hiddenWaste(): readonly WasteKind[] {
    return this.read(hiddenWasteFrom(vscode.workspace.getConfiguration().get(hiddenWasteSetting)));
  }

  /** Writes them into the user's settings, so that they hold in every session. */
  async saveHiddenWaste(kinds: readonly WasteKind[]): Promise<void> {
    await vscode.workspace
      .getConfiguration()
      .update(
        hiddenWasteSetting,
        kinds.length === 0 ? undefined : [...kinds],
        vscode.ConfigurationTarget.Global,
      );
  }

  /** Whether a transcript that is opened now is searched for data about persons too. What is no such value is reported once. */
  findsPersonalData(): boolean {
    return this.read(personalDataFrom(vscode.workspace.getConfiguration().get(personalDataSetting)));
  }

  /** Whether there may be an index over all sessions. What is no such value is reported once. */
  hasIndex(): boolean {
    return this.read(hasIndexFrom(vscode.workspace.getConfiguration().get(indexSetting)));
  }

  /** How far packed transcripts may unpack. What is invalid is reported once. */
  unpackLimits(): UnpackLimits {
    const settings = vscode.workspace.getConfiguration(unpackingSection);
    return this.read(
      unpackLimitsFrom({
        ratio: settings.get<unknown>('ratio'),
        megabytes: settings.get<unknown>('megabytes'),
      }),
    );
  }

  /** What is shown of the session that an agent is writing. What is invalid is reported once. */
  live(): LiveSettings {
    const settings = vscode.workspace.getConfiguration(liveSection);
    return this.read(
      liveSettingsFrom({
        statusBar: settings.get<unknown>('statusBar'),
        cacheNotice: settings.get<unknown>('cacheNotice'),
      }),
    );
  }

  private read<Value>({ value, problems }: ReadSetting<Value>): Value {
    this.report(problems);
    return value;
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
        translate('A setting of Context Inspector is invalid and is not used. {0}', news.join(' ')),
      );
    }
  }

  /** Writes what differs into the workspace's settings if these contain a prune option already, else into the user's. */
  async savePruneOptions(options: PruneOptions): Promise<void> {
    const settings = vscode.workspace.getConfiguration(pruneSection);
    const inWorkspace = pruneMemberNames.some(key => settings.inspect(key)?.workspaceValue !== undefined);
    const target = inWorkspace ? vscode.ConfigurationTarget.Workspace : vscode.ConfigurationTarget.Global;
    const unchanged = pruneOptionsFrom({ ...valuesSet(settings), ruleSet: options.ruleSet }).options;
    await settings.update('ruleSet', options.ruleSet, target);
    for (const name of changedMembers(unchanged, options)) {
      await settings.update(name, options[name], target);
    }
  }

  dispose(): void {
    this.subscription.dispose();
    this.emitter.dispose();
    this.modelsEmitter.dispose();
    this.liveEmitter.dispose();
    this.indexEmitter.dispose();
    this.hiddenWasteEmitter.dispose();
  }
}

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
