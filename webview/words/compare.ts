import { formatNumber } from '../../src/core/base/format';
import { translate } from '../../src/core/base/translate';
import type { SideIndex } from '../compare/compareState';

/** The names of the two sessions. They are letters, so they are the same in each language. */
export const sideNames = ['A', 'B'] as const;

/** Two sessions side by side. */
export const compareWords = {
  title: translate('Comparison'),
  reading: translate('Reading and comparing both sessions…'),
  failed: translate('The sessions could not be compared'),
  same: translate('No differences.'),
  mapped: translate('Files match if their path inside the project folder is the same.'),
  facts: translate('Facts'),
  fills: translate('Input of each request'),
  fillsOf: (side: SideIndex, requests: number, largest: string): string =>
    translate(
      '{0}: {1, plural, one {# request} other {# requests}}, largest: {2} tokens',
      sideNames[side],
      requests,
      largest,
    ),
  prompt: translate('System prompt'),
  equalLines: (count: number): string =>
    translate('{0, plural, one {# equal line} other {# equal lines}}', count),
  parts: translate('Tokens by part'),
  partsOfRequestHint: translate(
    'Input tokens of the request, scaled to the recorded total. Estimated if no total is recorded.',
  ),
  comparedOf: (side: SideIndex): string => translate('Compare in {0}', sideNames[side]),
  wholeSession: translate('Whole session'),
  requestOf: (number: string, tokens: string): string => translate('Request {0}: {1} tokens', number, tokens),
  partsHint: translate(
    'Input tokens of all requests, scaled to the recorded totals. Estimated if no totals are recorded.',
  ),
  name: translate('Name'),
  difference: translate('Difference'),
  openIn: (side: SideIndex, name: string): string => translate('open {0} in {1}', name, sideNames[side]),
  partsOf: (name: string): string => translate('Parts of {0}', name),
  counts: (same: number, different: number): string =>
    translate('{0} in both, {1} different', formatNumber(same), formatNumber(different)),
  onlyIn: (side: SideIndex): string => translate('only {0}', sideNames[side]),
  changed: translate('changed'),
  nothing: '–',
} as const;
