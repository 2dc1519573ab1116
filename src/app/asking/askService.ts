import { appendFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { providerAddress } from '../../backend/providerAddress';
import type { createTarget as CreateTarget } from '../../backend/modelTarget';
import { type ProviderPreset, providerPreset, providerPresets } from '../../backend/providers';
import { translate } from '../../core/base/translate';
import type { ModelLookUp } from '../../core/tokens/modelTable';
import { lookUpWith } from '../../core/tokens/userModels';
import type { AskNews, AskOffer, AskOrder, AskProvider } from '../../protocol/askMessages';
import type { Desk } from '../desk';
import type { AskSettings } from '../settings/askSettings';
import type { Configuration } from '../settings/configuration';
import { providerEntry } from '../settings/providerSettings';
import type { TranscriptDocument } from '../transcript/transcriptDocument';
import { AskSession } from './askSession';
import { type Asker, providerAsker } from './asker';

const loadBackend = () => import('../../backend/main');

/** The place that keeps the keys of providers. */
export interface Keys {
  /** The key that the user has given for this provider at this origin. */
  keyOf(provider: ProviderPreset, origin: string): Promise<string | undefined>;
  /** Lets the user give a key for one origin. Without a provider, the user chooses one. */
  askFor(desk: Desk, originOf: (provider: ProviderPreset) => string, provider?: string): Promise<void>;
}

/** Models of the place where the program runs, besides those of the providers. */
export interface OwnModels {
  readonly provider: string;
  /** Undefined if there are none. */
  offer(): Promise<AskProvider | undefined>;
  /** Rejects with a sentence if the model no longer exists. */
  asker(
    createTarget: typeof CreateTarget,
    model: { readonly id: string; readonly maximumOutput: number; readonly lookUp: ModelLookUp },
  ): Promise<Asker>;
}

export interface AskServiceTools {
  readonly configuration: Configuration;
  readonly keys: Keys;
  readonly ownModels: OwnModels | undefined;
  /** True if the user trusts the folders in which the program runs. */
  readonly isTrusted: () => boolean;
  /** Folder of the replays. */
  readonly replays: string;
}

/** The shared parts of all pages for asking models: keys, settings, available models, and the folder of the replays. */
export class AskService {
  constructor(private readonly tools: AskServiceTools) {}

  sessionOf(document: TranscriptDocument, desk: Desk, post: (news: AskNews) => void): AskSession {
    const { configuration, keys } = this.tools;
    return new AskSession({
      post,
      ask: document.ask,
      settings: () => configuration.asking(),
      modelFacts: model => lookUpWith(configuration.get('models'))(model) ?? {},
      offer: this.offer,
      asker: (order, maximumOutput) => this.asker(order, maximumOutput),
      loadBackend,
      key: async (provider, origin) => {
        const preset = providerPreset(provider);
        return preset && keys.keyOf(preset, origin);
      },
      setKey: (provider, origin) =>
        keys.askFor(desk, origin === undefined ? this.originOf : () => origin, provider),
      keep: (name, line) => this.keep(name, line),
      openReplays: () => this.openReplays(desk),
    });
  }

  /** The models available now. */
  readonly offer = async (): Promise<AskOffer> => {
    if (!this.tools.isTrusted()) {
      return { refusal: 'untrusted', providers: [] };
    }
    const given = this.tools.configuration.asking();
    if (!given.enabled) {
      return { refusal: 'off', providers: [] };
    }
    const own = await this.tools.ownModels?.offer();
    return {
      providers: [
        ...providerPresets.map(({ id, name, counts }) => ({
          id,
          name,
          model: modelOf(given, id),
          models: [],
          counts,
        })),
        ...(own === undefined ? [] : [own]),
      ],
    };
  };

  /** Lets the user open a replay. */
  async openReplays(desk: Desk): Promise<void> {
    const { replays } = this.tools;
    await mkdir(replays, { recursive: true, mode: 0o700 });
    const chosen = await desk.fileIn({
      title: translate('Open a Replay'),
      folder: replays,
      kinds: { [translate('Replays')]: ['jsonl'] },
    });
    if (chosen !== undefined) {
      await desk.show(chosen);
    }
  }

  /** Scheme, host and port in the settings for a provider. */
  readonly originOf = ({ id, baseUrl }: ProviderPreset): string =>
    providerAddress(providerEntry(this.tools.configuration.get('asking.providers'), id).baseUrl ?? baseUrl)
      .origin;

  private async asker({ provider, model }: AskOrder, maximumOutput: number): Promise<Asker> {
    const { configuration, ownModels } = this.tools;
    const lookUp = lookUpWith(configuration.get('models'));
    const { createTarget } = await loadBackend();
    if (provider === ownModels?.provider) {
      return ownModels.asker(createTarget, { id: model, maximumOutput, lookUp });
    }
    const preset = providerPreset(provider);
    if (preset === undefined) {
      throw new Error(translate('Provider {0} is unknown.', provider));
    }
    const { baseUrl } = providerEntry(configuration.get('asking.providers'), provider);
    return providerAsker(createTarget({ preset, model, baseUrl, maximumOutput, lookUp }));
  }

  private async keep(name: string, line: string): Promise<string> {
    const { replays } = this.tools;
    await mkdir(replays, { recursive: true, mode: 0o700 });
    const path = join(replays, name);
    // A request may contain anything that the transcript contains.
    await appendFile(path, line, { mode: 0o600 });
    return path;
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
