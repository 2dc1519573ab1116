import type { IncomingMessage } from 'node:http';

/** A refused request: the status, and a sentence for people. */
export interface Refusal {
  readonly status: number;
  readonly sentence: string;
}

/** The names of this machine alone. A tunnel may have any port. */
const ownHost = /^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d{1,5})?$/;

/** A page of another site that leads to this one; the browser says so. */
const ownSites: readonly (string | undefined)[] = [undefined, 'same-origin', 'none'];

/**
 * Why a request is refused, whatever it asks for. A page of another site may have its own name resolved to this machine
 * (DNS rebinding), so the name is checked; and may send requests here, so their origin is checked.
 */
export function refusalOf({ method, url = '', headers }: IncomingMessage): Refusal | undefined {
  const { host = '', origin } = headers;
  if (method !== 'GET') {
    return { status: 405, sentence: 'Only pages can be asked for.' };
  }
  if (!ownHost.test(host)) {
    return { status: 403, sentence: 'This server has only the name 127.0.0.1.' };
  }
  if (origin !== undefined && origin !== `http://${host}`) {
    return { status: 403, sentence: 'Another site may not use this server.' };
  }
  if (!/^\/(?!\/)/.test(url)) {
    return { status: 400, sentence: 'This address is not valid.' };
  }
  return undefined;
}

/** True if a page of another site asks. A link in such a page, too, unless the link has a token. */
export function isForeign({ headers }: IncomingMessage): boolean {
  return !ownSites.some(site => site === headers['sec-fetch-site']);
}

/** True if a browser shows the answer as a page, and not a frame, a script or a page that it loads in advance. */
export function isVisit({ headers }: IncomingMessage): boolean {
  const { 'sec-fetch-dest': target = 'document', 'sec-purpose': purpose, purpose: former } = headers;
  return target === 'document' && purpose === undefined && former === undefined;
}
