import * as vscode from 'vscode';
import { changedMembers, pruneMemberNames, type PruneOptions } from '../core/model/pruneConfig';
import { parseUserModels, type UserModels } from '../core/tokens/userModels';
import { modelsSetting, pruneSection } from './manifest';
import { pruneOptionsFrom } from './pruneSettings';

/** What the settings say: the prune options, and what the user knows of models. */
export class Configuration implements vscode.Disposable {
  private readonly emitter = new vscode.EventEmitter<PruneOptions>();
  readonly onDidChangePruneOptions = this.emitter.event;
  private readonly modelsEmitter = new vscode.EventEmitter<undefined>();
  readonly onDidChangeModels = this.modelsEmitter.event;
  private readonly reported = new Set<string>();
  private readonly subscription = vscode.workspace.onDidChangeConfiguration(event => {
    if (event.affectsConfiguration(pruneSection)) {
      this.emitter.fire(this.pruneOptions());
    }
    if (event.affectsConfiguration(modelsSetting)) {
      this.modelsEmitter.fire(undefined);
    }
  });

  constructor(private readonly log: vscode.LogOutputChannel) {}

  /** Settings that are not usable count as not set, and are reported once. */
  pruneOptions(): PruneOptions {
    const settings = vscode.workspace.getConfiguration(pruneSection);
    const { options, problems } = pruneOptionsFrom(valuesSet(settings));
    this.report(problems);
    return options;
  }

  /** What the user says of models; what is not usable is left out, and reported once. */
  models(): UserModels {
    const { models, problems } = parseUserModels(
      vscode.workspace.getConfiguration().get<unknown>(modelsSetting) ?? {},
    );
    this.report(problems);
    return models;
  }

  private report(problems: readonly string[]): void {
    const news = problems.filter(problem => !this.reported.has(problem));
    for (const problem of news) {
      this.reported.add(problem);
      this.log.warn(problem);
    }
    if (news.length > 0) {
      vscode.window.showWarningMessage(
        vscode.l10n.t(
          'A setting of Context Inspector is not usable, its default is taken. {0}',
          news.join(' '),
        ),
      );
    }
  }

  /** Writes what differs into the workspace's settings if they hold any of these already, else into the user's. */
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
  }
}

/** The settings that somebody has set: a declared default does not count, since it depends on the rule set. */
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
