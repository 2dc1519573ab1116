import { translate } from '../../core/base/translate';
import { type PruneOptions, changedMembers, pruneMemberNames } from '../../core/model/pruneConfig';
import type { UnpackLimits } from '../../core/reading/decoders/unpacking';
import type { WasteKind } from '../../core/waste/wasteKinds';
import type { Log } from '../desk';
import type { Disposable, Event } from '../emitter';
import { type AskSettings, askSettings } from './askSettings';
import { pruneOptionsFrom } from './pruneSettings';
import {
  bytesPerMegabyte,
  type DeclaredName,
  type SettingSection,
  settingId,
  settingReader,
} from './settingsTable';

/** The reach of a setting: everything of the user, or the folders in which the user works. */
export type SettingScope = 'user' | 'workspace';

/** The place that keeps the settings, by their ids. */
export interface SettingStore {
  /** The value that applies, declared defaults included; unchecked. */
  get(id: string): unknown;
  /** The value that somebody set; undefined if nobody did. */
  setValue(id: string, scope: SettingScope): unknown;
  /** Undefined removes the value. */
  update(id: string, value: unknown, scope: SettingScope): PromiseLike<void>;
  /** Calls the listener with a function that tells if a setting, or one of a section, may have changed. */
  readonly onDidChange: Event<(id: string) => boolean>;
}

/** The user's settings. An invalid one is not used and is reported once. */
export class Configuration {
  private readonly reported = new Set<string>();

  constructor(
    private readonly store: SettingStore,
    private readonly log: Log,
    /** Tells the user. */
    private readonly warn: (sentence: string) => void,
  ) {}

  readonly get = settingReader(
    id => this.store.get(id),
    problems => this.report(problems),
  );

  onDidChange(section: SettingSection, listener: () => void): Disposable {
    return this.store.onDidChange(affects => {
      if (affects(settingId(section))) {
        listener();
      }
    });
  }

  pruneOptions(): PruneOptions {
    const { options, problems } = pruneOptionsFrom(this.pruneValues());
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
    await this.save('hiddenWaste', kinds.length === 0 ? undefined : [...kinds]);
  }

  /** Writes the decision about the server of the tools to the user's settings. */
  async saveServer(decision: 'on' | 'off'): Promise<void> {
    await this.save('mcp.server', decision);
  }

  /**
   * Writes the differences to the workspace's settings if these already contain a prune option, otherwise to the
   * user's.
   */
  async savePruneOptions(options: PruneOptions): Promise<void> {
    const isInWorkspace = pruneMemberNames.some(
      name => this.store.setValue(settingId(`prune.${name}`), 'workspace') !== undefined,
    );
    const scope = isInWorkspace ? 'workspace' : 'user';
    const unchanged = pruneOptionsFrom({ ...this.pruneValues(), ruleSet: options.ruleSet }).options;
    await this.save('prune.ruleSet', options.ruleSet, scope);
    for (const name of changedMembers(unchanged, options)) {
      await this.save(`prune.${name}`, options[name], scope);
    }
  }

  private async save(name: DeclaredName, value: unknown, scope: SettingScope = 'user'): Promise<void> {
    await this.store.update(settingId(name), value, scope);
  }

  private report(problems: readonly string[]): void {
    const news = problems.filter(problem => !this.reported.has(problem));
    for (const problem of news) {
      this.reported.add(problem);
      this.log.warn(problem);
    }
    if (news.length > 0) {
      this.warn(translate('A Context Inspector setting is invalid and was ignored. {0}', news.join(' ')));
    }
  }

  /** The prune options that are set explicitly. Declared defaults do not count, because they depend on the rule set. */
  private pruneValues(): Readonly<Record<string, unknown>> {
    const { store } = this;
    const isSet = (id: string): boolean =>
      store.setValue(id, 'user') !== undefined || store.setValue(id, 'workspace') !== undefined;
    return Object.fromEntries(
      pruneMemberNames.flatMap(name => {
        const id = settingId(`prune.${name}`);
        return isSet(id) ? [[name, store.get(id)] as const] : [];
      }),
    );
  }
}
