import type { PageDetails } from '../../src/protocol/sessionsPage';

const uriList = 'text/uri-list';

/** Lets a session be dropped where VS Code takes files: the editor area, a terminal, the chat. */
export function dragSession(data: DataTransfer, { drag }: PageDetails): void {
  if (drag !== undefined) {
    data.effectAllowed = 'copyLink';
    data.setData(uriList, drag.uri);
    data.setData('CodeEditors', drag.editors);
  }
}

/** True if the dragged item may be a transcript. */
export function isFileDrag({ types }: DataTransfer): boolean {
  return types.includes('Files') || types.includes(uriList);
}

/** The addresses of the dropped items, one per line; lines that begin with # are comments (RFC 2483). */
export function droppedAddresses(data: DataTransfer): readonly string[] {
  const lines = data.getData(uriList).split(/\r?\n/);
  return [...new Set(lines.filter(line => line !== '' && !line.startsWith('#')))];
}
