import * as vscode from 'vscode';

export const uriList = 'text/uri-list';

/** What the explorer, editors and other views give, and what comes from outside of VS Code. */
export const droppedTypes = [uriList, 'files'];

/** More at once is a slip of the hand. */
const mostFiles = 10;

/** The files that were dropped, each once. */
export async function droppedFiles(data: vscode.DataTransfer): Promise<readonly vscode.Uri[]> {
  const found = new Map<string, vscode.Uri>();
  const add = (uri: vscode.Uri): void => {
    found.set(uri.toString(), uri);
  };
  urisIn((await data.get(uriList)?.asString()) ?? '').forEach(add);
  data.forEach(item => {
    const uri = item.asFile()?.uri;
    if (uri !== undefined) {
      add(uri);
    }
  });
  return [...found.values()].slice(0, mostFiles);
}

/** One address a line; lines with # are comments (RFC 2483). */
function urisIn(list: string): readonly vscode.Uri[] {
  return list.split(/\r?\n/).flatMap(line => {
    try {
      return line === '' || line.startsWith('#') ? [] : [vscode.Uri.parse(line, true)];
    } catch {
      return [];
    }
  });
}
