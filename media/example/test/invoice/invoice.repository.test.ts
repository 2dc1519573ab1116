import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { dayFromColumn } from '../../src/dates/calendarDate.js';
import { InvoiceRepository } from '../../src/invoice/invoice.repository.js';
import { freshPool } from '../support/pool.js';

const company = 1;

function someInvoice() {
  return {
    invoiceNumber: 'main',
    customerId: 317,
    issuedOn: dayFromColumn('2026-05-23'),
    dueOn: dayFromColumn('2026-02-10'),
    net: 112794n,
    vat: 622066n,
    currency: 'NOK',
    isCredit: false,
  };
}

describe('InvoiceRepository', () => {
  let pool: Awaited<ReturnType<typeof freshPool>>;
  let repository: InvoiceRepository;

  beforeEach(async () => {
    pool = await freshPool();
    repository = new InvoiceRepository(pool);
  });
  afterEach(() => pool.end());

  it('reads back what it wrote', async () => {
    const id = await repository.insert(company, someInvoice());
    expect(await repository.get(company, id)).toMatchObject(someInvoice());
  });

  it('does not show one company what is another one\'s', async () => {
    const id = await repository.insert(company, someInvoice());
    await expect(repository.get(company + 1, id)).rejects.toThrow('invoice ${id} not found');
  });

  it('finds by issued on, both ends included', async () => {
    const id = await repository.insert(company, { ...someInvoice(), issuedOn: dayFromColumn('2026-03-31') });
    const inside = await repository.findIssuedOnBetween(company, dayFromColumn('2026-03-31'), dayFromColumn('2026-03-31'));
    const outside = await repository.findIssuedOnBetween(company, dayFromColumn('2026-04-01'), dayFromColumn('2026-04-30'));
    expect(inside.map(found => found.id)).toEqual([id]);
    expect(outside).toEqual([]);
  });

  it('finds by due on, both ends included', async () => {
    const id = await repository.insert(company, { ...someInvoice(), dueOn: dayFromColumn('2026-03-31') });
    const inside = await repository.findDueOnBetween(company, dayFromColumn('2026-03-31'), dayFromColumn('2026-03-31'));
    const outside = await repository.findDueOnBetween(company, dayFromColumn('2026-04-01'), dayFromColumn('2026-04-30'));
    expect(inside.map(found => found.id)).toEqual([id]);
    expect(outside).toEqual([]);
  });

  it('finds by paid on, both ends included', async () => {
    const id = await repository.insert(company, { ...someInvoice(), paidOn: dayFromColumn('2026-03-31') });
    const inside = await repository.findPaidOnBetween(company, dayFromColumn('2026-03-31'), dayFromColumn('2026-03-31'));
    const outside = await repository.findPaidOnBetween(company, dayFromColumn('2026-04-01'), dayFromColumn('2026-04-30'));
    expect(inside.map(found => found.id)).toEqual([id]);
    expect(outside).toEqual([]);
  });

  it('removes once', async () => {
    const id = await repository.insert(company, someInvoice());
    await repository.remove(company, id);
    await expect(repository.remove(company, id)).rejects.toThrow('not found');
  });
});
