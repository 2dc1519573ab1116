import { createHash, randomBytes } from 'node:crypto';

/** More links than anybody has open at once. */
const mostLinks = 16;

/** 256 random bits. */
const random = (): string => randomBytes(32).toString('base64url');
/** Secrets are compared by their hashes, which take equally long whatever they have in common. */
const hashOf = (secret: string): string => createHash('sha256').update(secret).digest('hex');

/**
 * Decides if a browser may use the server: it needs the server's cookie. It gets the cookie from a link with a token that
 * works once.
 * Cookies do not depend on the port, so the cookie's name contains it.
 */
export class Access {
  private readonly secret = random();
  private readonly cookieName: string;
  /** The pages to show first, by the hashes of the tokens. */
  private readonly links = new Map<string, string>();

  constructor(port: number) {
    this.cookieName = `context-inspector-${port}`;
  }

  /** A new token, for a link that leads to a page. */
  token(page: string): string {
    const token = random();
    this.links.set(hashOf(token), page);
    const [oldest] = this.links.keys();
    if (oldest !== undefined && this.links.size > mostLinks) {
      this.links.delete(oldest);
    }
    return token;
  }

  /** The page of a token, which is worthless from now on. */
  spend(token: string): string | undefined {
    const hash = hashOf(token);
    const page = this.links.get(hash);
    this.links.delete(hash);
    return page;
  }

  /** The header that gives a browser its cookie. */
  get cookie(): string {
    return `${this.cookieName}=${this.secret}; Path=/; HttpOnly; SameSite=Strict`;
  }

  /** True if a request has the cookie. */
  isGranted(header = ''): boolean {
    return header
      .split(';')
      .map(part => part.trim().split('='))
      .some(([name, value = '']) => name === this.cookieName && hashOf(value) === hashOf(this.secret));
  }
}
