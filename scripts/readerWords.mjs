// Writes the words that the readers of transcripts look for. With `--check` it only says whether the file has them.
import './lib/currentNode.mjs';
import { readFileSync, writeFileSync } from 'node:fs';
import { readerWordsFile, readerWordsPath } from './lib/readerWords.mjs';

if (!process.argv.includes('--check')) {
  writeFileSync(readerWordsPath, readerWordsFile());
} else if (readFileSync(readerWordsPath, 'utf8') !== readerWordsFile()) {
  console.error(`${readerWordsPath} is out of date: run node scripts/readerWords.mjs.`);
  process.exitCode = 1;
}
