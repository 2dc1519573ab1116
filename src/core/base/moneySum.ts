/**
 * Sums of money are made in whole billionths of a US dollar, so that they do not depend on the order in which files are
 * read. Exact up to $9,000,000.
 */
const unitsInDollar = 1e9;

export const billionths = (dollars: number): number => Math.round(dollars * unitsInDollar);

export const dollarsOf = (units: number): number => units / unitsInDollar;
