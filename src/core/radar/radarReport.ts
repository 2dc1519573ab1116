import * as v from 'valibot';
import { type Described, numbers, texts } from '../base/schema';
import { cacheBreakCause } from '../cache/cacheFinding';

/** The figures of a version. `cause` is the part of `losses` with one cause. */
export const radarFigures = ['cacheShare', 'losses', 'cause', 'notRecorded', 'compactions', 'cost'] as const;
export type RadarFigure = (typeof radarFigures)[number];

const rate = v.nullable(v.number());

/** All requests of one version of an agent. A figure is null if it is not known for any request. */
const radarVersion = v.strictObject({
  version: v.string(),
  /** `tested`: sessions with enough requests to be compared. */
  ...numbers('sessions', 'tested', 'requests'),
  /** The share of the input that was read from the cache, from 0 to 1. */
  cacheShare: rate,
  /** The share of the input that was paid for again because the cache was lost, in all and by first cause. */
  losses: rate,
  causes: v.array(v.strictObject({ cause: cacheBreakCause, share: v.number() })),
  /** Input tokens of a request that belong to no recorded text. */
  notRecorded: rate,
  /** Compactions per 100 requests. */
  compactions: rate,
  /** US dollars per request at list prices. */
  cost: rate,
});
export type RadarVersion = Described<typeof radarVersion>;

const radarChange = v.strictObject({
  figure: v.picklist(radarFigures),
  /** Of the figure `cause`. */
  cause: v.nullable(cacheBreakCause),
  /** The first version after the change. With 95 % confidence, it began with one from `first` to `last`. */
  ...texts('version', 'first', 'last'),
  isWorse: v.boolean(),
  /**
   * The figure in comparable sessions before and after. `before` is what the sessions after would have had, each with
   * the figure of earlier sessions of its project and model.
   */
  ...numbers('before', 'after'),
  /** `after` divided by `before`; null if it was 0 before. */
  ratio: rate,
  /**
   * The chance of so large a difference if the versions did not differ, corrected for the versions, figures and agents
   * compared.
   */
  p: v.number(),
  /** Number of compared sessions, or parts of sessions by one version. */
  sessions: v.strictObject(numbers('before', 'after')),
});
export type RadarChange = Described<typeof radarChange>;

/** The figures of agents by version, and the versions from which a figure changed. */
export const radarReport = v.strictObject({
  agents: v.array(
    v.strictObject({
      agent: v.string(),
      /** In order of their numbers. */
      versions: v.array(radarVersion),
      /** In order of versions. */
      changes: v.array(radarChange),
    }),
  ),
  /** Requests without a recorded version, and requests of sessions that were read only for their usage. */
  ...numbers('withoutVersion', 'unread'),
});
export type RadarReport = Described<typeof radarReport>;
