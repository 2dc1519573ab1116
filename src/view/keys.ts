import { providerAddress } from '../backend/providerAddress';
import { type ProviderPreset, providerPreset } from '../backend/providers';
import { translate } from '../core/base/translate';
import type { Keys } from '../app/asking/askService';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The keys in the environment, under the usual names. A key goes to its provider's own address, or to the one that the
 * user's settings name.
 * @param originOf the origin in the settings
 */
export function keysIn(environment: Environment, originOf: (provider: ProviderPreset) => string): Keys {
  return {
    keyOf: (provider, origin) => {
      const own = [providerAddress(provider.baseUrl).origin, originOf(provider)];
      const { keyVariable = '' } = provider;
      const key = environment[keyVariable];
      return Promise.resolve(key === '' || !own.includes(origin) ? undefined : key);
    },
    askFor: (desk, _, id) => {
      const { name, keyVariable } = (id === undefined ? undefined : providerPreset(id)) ?? {};
      const sentence =
        name === undefined || keyVariable === undefined
          ? translate('Keys come from the environment only, under the usual names of their variables.')
          : translate(
              'Set the key of {0} in the variable {1}, and start this program again.',
              name,
              keyVariable,
            );
      desk.say('information', sentence);
      return Promise.resolve();
    },
  };
}
