import { it } from 'node:test';
import { sensitiveIn } from '../../../src/core/sensitivity/credentials';
import { memberSecretsIn } from '../../../src/core/sensitivity/memberSecret';
import { secretScanner } from '../../../src/node/secrets/secretScannerOnDemand';
import { hostileTexts } from '../../fixtures/hostileTexts';
import { assertLinear, processorTime } from '../../fixtures/linearWork';

it('takes time in proportion to the length of a text, whatever repeats in it', async () => {
  const scan = (text: string): void => {
    sensitiveIn(text, secretScanner);
    memberSecretsIn(text);
  };
  for (const unit of hostileTexts()) {
    const repeated = (size: number): string => unit.repeat(Math.ceil(size / unit.length));
    // Quadratic work on so few characters takes far longer. Linear work may take longer too, where the longest match has 2,000 characters.
    if ((await processorTime(() => scan(repeated(2 ** 15)))) > 200) {
      await assertLinear(2 ** 17, repeated, scan, JSON.stringify(unit));
    }
  }
});
