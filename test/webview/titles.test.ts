/// <reference types="node" />
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { doorPaths } from '../../src/protocol/doorAddresses';
import { openAddress } from './door';
import { writeSession } from './inventory/sessionPlaces';

it('shows no password in the title of a session, nor in what is read aloud', async () => {
  const password = 'Tr0ub4dorAnd3X';
  await writeSession('kiosk', `Mend postgres://app:${password}@db.acme.io`);
  await writeSession('kiosk', `Tidy with ${['ghp', '16C7e42F292c6912E7710c838347Ae178B4a'].join('_')}`);
  const { page, close } = await openAddress(doorPaths.sessions, { width: 320, height: 700 });
  const row = (text: string) => page.getByRole('treeitem').filter({ hasText: text });
  await row('Mend postgres://app:•••@db.acme.io').waitFor();
  await row('Tidy with •••').waitFor();
  const markup = await page.getByRole('tree', { name: 'Sessions' }).innerHTML();
  assert.ok(!markup.includes(password) && !markup.includes('ghp_'));
  await close();
});
