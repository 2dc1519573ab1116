// Writes the words that the readers of transcripts look for. Run it when a reader looks for a new one; a unit test says so.
import { writeFileSync } from 'node:fs';
import { readerWordsFile, readerWordsPath } from './lib/readerWords.mjs';

writeFileSync(readerWordsPath, readerWordsFile());
