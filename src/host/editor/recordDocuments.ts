import * as vscode from 'vscode';
import { transcriptClosed } from '../threads/askedThread';
import { recordScheme } from '../manifest';
import type { TranscriptDocument } from './transcriptDocument';
import { plainErrors } from '../messages/userMessages';

/** The address of a read-only document with the record of a block. */
export function recordUri(document: TranscriptDocument, block: number, line: number): vscode.Uri {
  return vscode.Uri.from({
    scheme: recordScheme,
    path: `/${document.fileName}, line ${line}.json`,
    query: new URLSearchParams({ transcript: document.uri.toString(), block: String(block) }).toString(),
  });
}

/** Shows single records of transcripts that are too large for a text editor. */
export class RecordDocuments implements vscode.TextDocumentContentProvider {
  constructor(private readonly find: (uri: string) => TranscriptDocument | undefined) {}

  provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    return plainErrors(() => this.content(uri));
  }

  private async content(uri: vscode.Uri): Promise<string> {
    const query = new URLSearchParams(uri.query);
    const document = this.find(query.get('transcript') ?? '');
    if (document === undefined) {
      throw new Error(transcriptClosed);
    }
    const record = await document.ask({ name: 'record', params: { block: Number(query.get('block')) } });
    return indented(record);
  }
}

function indented(json: string): string {
  try {
    return JSON.stringify(JSON.parse(json), undefined, 2);
  } catch {
    return json;
  }
}
