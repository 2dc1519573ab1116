import { numberAt, stringAt } from '../../base/json';

/** Milliseconds of an ISO time; one without a zone counts as UTC, so that it is the same everywhere. */
export function isoTime(value: unknown, key: string): number | undefined {
  const text = stringAt(value, key);
  if (text === undefined) {
    return undefined;
  }
  const hasZone = /(Z|[+-]\d\d:?\d\d)$/i.test(text);
  const time = Date.parse(hasZone || !text.includes('T') ? text : `${text}Z`);
  return Number.isNaN(time) ? undefined : time;
}

/** Milliseconds of a time in seconds; `undefined` where there is none that a number can hold. */
export function secondsTime(value: unknown, key: string): number | undefined {
  const time = Math.round((numberAt(value, key) ?? Number.NaN) * 1000);
  return Number.isFinite(time) ? time : undefined;
}
