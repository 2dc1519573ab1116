import { formatDateTime, formatNumber } from '../base/format';
import { translate } from '../base/translate';
import { requestLabel } from '../view/requestNames';
import type { Ending } from './exposure';
import type { ExposureReport, PlaceReport, SecretReport } from './exposureReport';

const endingWords: Readonly<Record<Ending, string>> = {
  compaction: translate('no longer sent since a compaction'),
  clearing: translate('no longer sent since results were pruned'),
  left: translate('no longer sent; reason not recorded'),
  rewritten: translate('no longer sent since the history was rewritten'),
};

/** The requests that sent something. */
export function sentWords({ requests, first, last }: ExposureReport): string {
  if (first === null || last === null) {
    return translate('never sent');
  }
  return requests === 1
    ? translate('only in request {0}', requestLabel(first))
    : translate(
        'in {0, plural, one {# request} other {# requests}}, {1} – {2}',
        requests,
        requestLabel(first),
        requestLabel(last),
      );
}

/**
 * The number of these requests in which it was inside the frozen prefix: recorded, and declared if it ever was.
 */
export function frozenWords({ cached, declaredFrozen }: ExposureReport): string {
  return [
    cached === null
      ? translate('cache reads are not recorded')
      : translate(
          'read from the cache in {0} of {1} requests',
          formatNumber(cached.requests),
          formatNumber(cached.recorded),
        ),
    ...(declaredFrozen === null || declaredFrozen.requests === 0
      ? []
      : [
          translate(
            'declared frozen in {0} of {1} requests',
            formatNumber(declaredFrozen.requests),
            formatNumber(declaredFrozen.declaring),
          ),
        ]),
  ].join('; ');
}

/** The models that received it with their providers, as far as known. */
export function receiverWords({ models }: ExposureReport): string {
  return models
    .map(({ model, provider, providerFrom }) => {
      const name = model ?? translate('unknown model');
      return provider === null
        ? translate('{0}, provider unknown', name)
        : providerFrom === 'name'
          ? translate('{0} through {1}', name, provider)
          : translate('{0}, a model of {1}', name, provider);
    })
    .join('; ');
}

/** The time when it was first sent, and if the newest request still sends it; empty if it was never sent. */
export function sinceWords({ first, stillSent, conversations }: ExposureReport): string {
  const ended = conversations.find(conversation => conversation.ended !== null)?.ended ?? null;
  const since = formatDateTime(Date.parse(first?.time ?? ''));
  return first === null
    ? ''
    : [
        ...(since === '' ? [] : [translate('since {0}', since)]),
        stillSent || ended === null ? translate('still sent') : endingWords[ended],
      ].join('; ');
}

/** The place of a secret: the line, and the member if the block is JSON. */
export function secretPlaceWords({
  line,
  member,
  in: part,
}: Pick<PlaceReport, 'line' | 'member' | 'in'>): string {
  const words = translate('line {0}', formatNumber(line));
  return member === null
    ? words
    : part === 'name'
      ? translate('{0}, in the name {1}', words, member)
      : translate('{0}, in {1}', words, member);
}

/** For the places that a list leaves out. */
export const morePlaces = (count: number): string =>
  translate('{0, plural, one {# more place} other {# more places}}', count);

/** Maximum number of listed places of one secret in a table. */
const mostPlaces = 8;

/** The columns of a table of secrets, after rule and label. */
export const exposureHeads: readonly string[] = [
  translate('Place'),
  translate('Sent'),
  translate('Frozen prefix'),
  translate('Sent to'),
  translate('Since'),
];

/** The cells of a row, each with one line or several. */
export function exposureCells(secret: SecretReport): readonly (readonly string[])[] {
  const { places, requests } = secret;
  return [
    [
      ...places.slice(0, mostPlaces).map(secretPlaceWords),
      ...(places.length > mostPlaces ? [morePlaces(places.length - mostPlaces)] : []),
    ],
    [sentWords(secret)],
    ...(requests === 0
      ? [[], [], []]
      : [frozenWords, receiverWords, sinceWords].map(words => [words(secret)])),
  ];
}
