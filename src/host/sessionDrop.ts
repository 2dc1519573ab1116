import * as vscode from 'vscode';

export const uriList = 'text/uri-list';

/** The types of the explorer, editors and other views, and of files from outside VS Code. */
export const droppedTypes = [uriList, 'files'];

/** Dropping more files at once is probably a mistake. */
const mostFiles = 10;

/** The dropped files without repetitions. */
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

/** One address per line; lines that begin with # are comments (RFC 2483). */
function urisIn(list: string): readonly vscode.Uri[] {
  return list.split(/\r?\n/).flatMap(line => {
    try {
      return line === '' || line.startsWith('#') ? [] : [vscode.Uri.parse(line, true)];
    } catch {
      return [];
    }
  });
}
