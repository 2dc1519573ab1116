import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { dayFromColumn } from '../../src/dates/calendarDate.js';
import { PostingRepository } from '../../src/posting/posting.repository.js';
import { freshPool } from '../support/pool.js';

const company = 1;

function somePosting() {
  return {
    entryId: 661,
    accountNumber: 'R-2041',
    amount: 850232n,
    currency: 'EUR',
    postedOn: dayFromColumn('2026-01-27'),
    counterpartyId: 149,
    reversedBy: 104,
  };
}

describe('PostingRepository', () => {
  let pool: Awaited<ReturnType<typeof freshPool>>;
  let repository: PostingRepository;

  beforeEach(async () => {
    pool = await freshPool();
    repository = new PostingRepository(pool);
  });
  afterEach(() => pool.end());

  it('reads back what it wrote', async () => {
    const id = await repository.insert(company, somePosting());
    expect(await repository.get(company, id)).toMatchObject(somePosting());
  });

  it('does not show one company what is another one\'s', async () => {
    const id = await repository.insert(company, somePosting());
    await expect(repository.get(company + 1, id)).rejects.toThrow('posting ${id} not found');
  });

  it('finds by posted on, both ends included', async () => {
    const id = await repository.insert(company, { ...somePosting(), postedOn: dayFromColumn('2026-03-31') });
    const inside = await repository.findPostedOnBetween(company, dayFromColumn('2026-03-31'), dayFromColumn('2026-03-31'));
    const outside = await repository.findPostedOnBetween(company, dayFromColumn('2026-04-01'), dayFromColumn('2026-04-30'));
    expect(inside.map(found => found.id)).toEqual([id]);
    expect(outside).toEqual([]);
  });

  it('finds by value on, both ends included', async () => {
    const id = await repository.insert(company, { ...somePosting(), valueOn: dayFromColumn('2026-03-31') });
    const inside = await repository.findValueOnBetween(company, dayFromColumn('2026-03-31'), dayFromColumn('2026-03-31'));
    const outside = await repository.findValueOnBetween(company, dayFromColumn('2026-04-01'), dayFromColumn('2026-04-30'));
    expect(inside.map(found => found.id)).toEqual([id]);
    expect(outside).toEqual([]);
  });

  it('removes once', async () => {
    const id = await repository.insert(company, somePosting());
    await repository.remove(company, id);
    await expect(repository.remove(company, id)).rejects.toThrow('not found');
  });
});
