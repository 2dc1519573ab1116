import * as v from 'valibot';
import { type ShownPlace, shownPlace } from './shownPlace';
import { type UsagePart, usageParts } from './usageParts';

/** The pages of the local server, by their paths. */
export const doorPaths = {
  start: '/',
  session: '/session',
  sessions: '/sessions',
  usage: '/usage',
  compare: '/compare',
} as const;

/** The address of a transcript's page, at a place. */
export function sessionAddress(file: string, place: ShownPlace = {}): string {
  const query = new URLSearchParams({ file });
  Object.entries(place).forEach(([name, value]) => query.set(name, String(value)));
  return `${doorPaths.session}?${query.toString()}`;
}

export function usageAddress(part: UsagePart): string {
  return `${doorPaths.usage}?${new URLSearchParams({ part }).toString()}`;
}

export function compareAddress(first: string, second: string): string {
  return `${doorPaths.compare}?${new URLSearchParams({ first, second }).toString()}`;
}

/** The address of the frame around a page. */
export function framedAddress(page: string): string {
  return `${doorPaths.start}#${page}`;
}

/** The place in an address; undefined if it names none or is damaged. */
export function placeIn(query: URLSearchParams): ShownPlace | undefined {
  const values = [...query]
    .filter(([name]) => name !== 'file')
    .map(([name, value]) => [name, /^\d{1,9}$/.test(value) ? Number(value) : value] as const);
  const parsed = v.safeParse(shownPlace, Object.fromEntries(values));
  return values.length > 0 && parsed.success ? parsed.output : undefined;
}

export function usagePartIn(query: URLSearchParams): UsagePart | undefined {
  return usageParts.find(part => part === query.get('part'));
}
