import { it } from 'node:test';
import { sensitiveIn } from '../../../src/core/sensitivity/credentials';
import { memberSecretsIn } from '../../../src/core/sensitivity/memberSecret';
import { secretScanner } from '../../../src/node/secrets/secretScannerOnDemand';
import { hostileTexts } from '../../fixtures/hostileTexts';
import { assertLinear } from '../../fixtures/linearWork';
import { someOf } from '../../fixtures/variants';

it('takes time in proportion to the length of a text, whatever repeats in it', async () => {
  const scan = (text: string): void => {
    sensitiveIn(text, secretScanner);
    memberSecretsIn(text);
  };
  for (const unit of someOf(hostileTexts(), 30)) {
    const repeated = (size: number): string => unit.repeat(Math.ceil(size / unit.length));
    // A piece has 2,000 characters, as the longest match.
    await assertLinear(2 ** 17, repeated, scan, JSON.stringify(unit));
  }
});
