/**
 * The recorded usage of some requests. Every place that shows the usage of a session shows these figures: tokens as
 * recorded, money in US dollars at list prices, and US dollars as agents recorded them, which are never added to it.
 */
export interface UsageFigures {
  /** Requests with recorded usage. */
  readonly requests: number;
  readonly input: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  readonly output: number;
  /** Cost of the requests whose model has a known price. */
  readonly money: number;
  /** Requests without a known price. */
  readonly unpriced: number;
  /** Some of them: their model has a price, but not for their service tier, speed or region. */
  readonly unpricedTerms: number;
  /** Requests with a price, except for a tool that the provider ran or a further pass of a model. */
  readonly unpricedExtras: number;
  /** Requests whose recorded output is too low. */
  readonly lowOutput: number;
  /** Requests of which only the output is recorded. */
  readonly withoutInput: number;
  /** Requests whose recorded input is doubted; see `doubtedTotals`. */
  readonly doubtedInput: number;
  /** Money that agents recorded, and the number of requests with such a record. */
  readonly recordedMoney: number;
  readonly recordedCosts: number;
}

/** The figures in the order of a table. */
export const figureNames = [
  'requests',
  'input',
  'cacheRead',
  'cacheWrite',
  'output',
  'money',
  'unpriced',
  'lowOutput',
  'withoutInput',
  'recordedMoney',
  'recordedCosts',
  'unpricedTerms',
  'unpricedExtras',
  'doubtedInput',
] as const satisfies readonly (keyof UsageFigures)[];
