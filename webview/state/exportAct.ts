import type { ExportForm } from '../../src/core/model/exportForm';
import type { InspectorAct } from '../../src/protocol/inspectorPage';
import { requestInView } from './derived';
import type { AppState } from './inspector';

/** The export of the visible content; undefined if there is none. */
export function exportAct(
  { page, view, settings }: AppState,
  form: ExportForm,
  ask: number | undefined,
): InspectorAct | undefined {
  const request = page.kind === 'session' ? requestInView(page.session.columns, view) : undefined;
  return request === undefined
    ? undefined
    : { kind: 'export', form, request, options: view.prune ?? settings, colour: view.colourMode, ask };
}
