import { translate } from '../../core/base/translate';
import type { PriceReport } from '../../core/price/priceChange';
import { fileText } from './priceWords';

/** SARIF 2.1.0, errata 01 (OASIS): one run, with a result for each file and agent. */
export function priceSarif({ agents }: PriceReport, version: string): object {
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'context-inspector',
            ...(version === '' ? {} : { version }),
            rules: [
              {
                id: 'prompt-price',
                shortDescription: {
                  text: translate('Tokens that a change adds to each request of an agent'),
                },
                defaultConfiguration: { level: 'note' },
              },
            ],
          },
        },
        columnKind: 'utf16CodeUnits',
        results: agents.flatMap(price =>
          price.files.map(file => ({
            ruleId: 'prompt-price',
            ruleIndex: 0,
            level: file.tokens > 0 ? 'warning' : 'note',
            message: { text: fileText(file, price) },
            locations: [
              {
                physicalLocation: {
                  artifactLocation: { uri: file.path.split('/').map(encodeURIComponent).join('/') },
                  region: { startLine: 1 },
                },
              },
            ],
            properties: {
              agent: price.agent,
              model: price.model,
              tokens: file.tokens,
              quality: file.quality,
              kept: file.kept,
            },
          })),
        ),
      },
    ],
  };
}
