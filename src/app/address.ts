import { fileURLToPath } from 'node:url';

/** The text of a file's URI. Files that are not on this machine's disk have other schemes than `file:`. */
export type Address = string;

/** The path of a file on this machine's disk; undefined for other files. */
export function pathOf(address: Address): string | undefined {
  try {
    return address.startsWith('file:') ? fileURLToPath(address) : undefined;
  } catch {
    // A share of the network on a system that has none.
    return undefined;
  }
}

/** The path in the file system of the address, with slashes, and not encoded. */
export function pathInUri(address: Address): string {
  return decodeURIComponent(new URL(address).pathname);
}

/** The address of another path in the same file system. */
export function withPath(address: Address, path: string): Address {
  const url = new URL(address);
  url.pathname = path.split('/').map(encodeURIComponent).join('/');
  return url.href;
}

export function baseName(address: Address): string {
  const path = pathInUri(address);
  return path.slice(path.lastIndexOf('/') + 1);
}
