import { translate } from '../core/base/translate';
import { AgentError } from '../core/model/contextBackend';

/** An allowed address for requests and their key. */
export interface ProviderAddress {
  /** Without a slash at its end; an API appends its own paths. */
  readonly base: string;
  /**
   * Scheme, host and port; the port is always included: `https://api.anthropic.com:443`. A key belongs to one origin.
   */
  readonly origin: string;
  /** True if requests stay on this machine. */
  readonly isLocal: boolean;
}

/**
 * Checks an address. Plain http is allowed only on this machine: elsewhere, anyone on the network could read the key.
 * @throws AgentError with one sentence if the address cannot be used
 */
export function providerAddress(baseUrl: string): ProviderAddress {
  const base = baseUrl.trim().replace(/\/+$/, '');
  const url = URL.canParse(base) ? new URL(base) : undefined;
  const usualPort = url === undefined ? undefined : usualPorts[url.protocol];
  // A user name hides the host from readers (`http://127.0.0.1@elsewhere`). After a query or a hash, no path can follow.
  if (
    url === undefined ||
    usualPort === undefined ||
    !/^https?:\/\//i.test(base) ||
    url.username + url.password !== '' ||
    /[?#]/.test(base)
  ) {
    throw new AgentError('context', translate('The provider has no valid web address.'));
  }
  const origin = `${url.protocol}//${url.hostname}:${url.port || usualPort}`;
  const isLocal = isLoopback(url.hostname);
  if (url.protocol === 'http:' && !isLocal) {
    throw new AgentError(
      'context',
      translate('{0} is not on this machine, so its address must begin with https.', origin),
    );
  }
  return { base, origin, isLocal };
}

const usualPorts: Readonly<Record<string, string>> = { 'https:': '443', 'http:': '80' };

/** @param hostname normalised by `URL`, so that an IPv4 address of any notation has four decimal numbers */
function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(?:\.\d+){3}$/.test(hostname);
}
