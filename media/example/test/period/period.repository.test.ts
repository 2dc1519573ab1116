import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { dayFromColumn } from '../../src/dates/calendarDate.js';
import { PeriodRepository } from '../../src/period/period.repository.js';
import { freshPool } from '../support/pool.js';

const company = 1;

function somePeriod() {
  return {
    label: 'main',
    startsOn: dayFromColumn('2026-01-22'),
    endsOn: dayFromColumn('2026-01-14'),
    closedBy: 'R-2041',
    vatReportedOn: dayFromColumn('2026-02-14'),
    isAdjustment: false,
  };
}

describe('PeriodRepository', () => {
  let pool: Awaited<ReturnType<typeof freshPool>>;
  let repository: PeriodRepository;

  beforeEach(async () => {
    pool = await freshPool();
    repository = new PeriodRepository(pool);
  });
  afterEach(() => pool.end());

  it('reads back what it wrote', async () => {
    const id = await repository.insert(company, somePeriod());
    expect(await repository.get(company, id)).toMatchObject(somePeriod());
  });

  it('does not show one company what is another one\'s', async () => {
    const id = await repository.insert(company, somePeriod());
    await expect(repository.get(company + 1, id)).rejects.toThrow('period ${id} not found');
  });

  it('finds by starts on, both ends included', async () => {
    const id = await repository.insert(company, { ...somePeriod(), startsOn: dayFromColumn('2026-03-31') });
    const inside = await repository.findStartsOnBetween(company, dayFromColumn('2026-03-31'), dayFromColumn('2026-03-31'));
    const outside = await repository.findStartsOnBetween(company, dayFromColumn('2026-04-01'), dayFromColumn('2026-04-30'));
    expect(inside.map(found => found.id)).toEqual([id]);
    expect(outside).toEqual([]);
  });

  it('finds by ends on, both ends included', async () => {
    const id = await repository.insert(company, { ...somePeriod(), endsOn: dayFromColumn('2026-03-31') });
    const inside = await repository.findEndsOnBetween(company, dayFromColumn('2026-03-31'), dayFromColumn('2026-03-31'));
    const outside = await repository.findEndsOnBetween(company, dayFromColumn('2026-04-01'), dayFromColumn('2026-04-30'));
    expect(inside.map(found => found.id)).toEqual([id]);
    expect(outside).toEqual([]);
  });

  it('finds by closed on, both ends included', async () => {
    const id = await repository.insert(company, { ...somePeriod(), closedOn: dayFromColumn('2026-03-31') });
    const inside = await repository.findClosedOnBetween(company, dayFromColumn('2026-03-31'), dayFromColumn('2026-03-31'));
    const outside = await repository.findClosedOnBetween(company, dayFromColumn('2026-04-01'), dayFromColumn('2026-04-30'));
    expect(inside.map(found => found.id)).toEqual([id]);
    expect(outside).toEqual([]);
  });

  it('finds by vat reported on, both ends included', async () => {
    const id = await repository.insert(company, { ...somePeriod(), vatReportedOn: dayFromColumn('2026-03-31') });
    const inside = await repository.findVatReportedOnBetween(company, dayFromColumn('2026-03-31'), dayFromColumn('2026-03-31'));
    const outside = await repository.findVatReportedOnBetween(company, dayFromColumn('2026-04-01'), dayFromColumn('2026-04-30'));
    expect(inside.map(found => found.id)).toEqual([id]);
    expect(outside).toEqual([]);
  });

  it('removes once', async () => {
    const id = await repository.insert(company, somePeriod());
    await repository.remove(company, id);
    await expect(repository.remove(company, id)).rejects.toThrow('not found');
  });
});
