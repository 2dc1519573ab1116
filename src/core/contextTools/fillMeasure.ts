import type { BreakdownNode } from '../breakdown/breakdown';

export const fillMeasures = ['tokens', 'carried', 'money'] as const;
export type FillMeasure = (typeof fillMeasures)[number];

/** The figure of a part: tokens, or US dollars, where 0 stands for an unknown price too. */
export function measureOf({ tokens, carried, money }: BreakdownNode, by: FillMeasure): number {
  switch (by) {
    case 'tokens':
      return tokens;
    case 'carried':
      return carried.cached + carried.fresh;
    case 'money':
      return money ?? 0;
  }
}
