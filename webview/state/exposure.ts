import { type ExposureReport, exposureReport, exposureReports } from '../../src/core/exposure/exposureReport';
import type { SensitiveItem } from '../../src/core/exposure/sensitiveItem';
import { at } from '../../src/core/base/numbers';
import type { SessionColumns, SessionSummary } from '../../src/core/model/columns';
import { goToRequest } from './cacheReport';
import type { Inspector } from './inspector';
import { memoise } from './store';

/** The requests that sent a block with findings; undefined for other blocks. */
export const exposureOfBlock = memoise(
  (columns: SessionColumns, summary: SessionSummary, block: number): ExposureReport | undefined =>
    at(columns.blocks.findings, block) === 0
      ? undefined
      : exposureReports({ columns, summary }, [[block]])[0],
  2,
);

/** The requests that sent each secret. */
export const exposureOfSecrets = memoise(
  (columns: SessionColumns, summary: SessionSummary, items: readonly SensitiveItem[]) =>
    exposureReport({ columns, summary }, items).secrets,
  2,
);

/** Shows a block in the first request that contains it. A block that was never sent is shown in the transcript. */
export function goToBlock(inspector: Inspector, columns: SessionColumns, block: number): void {
  const request = columns.blocks.firstRequest[block] ?? -1;
  if (request < 0) {
    inspector.act({ kind: 'revealSource', block });
  } else {
    goToRequest(inspector, columns, request, block);
  }
}
