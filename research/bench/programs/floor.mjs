// The minimum that a Node program must do with a file of JSON lines: read it in chunks, split at newlines, parse every
// line.
import { closeSync, openSync, readSync } from 'node:fs';

const chunkSize = 256 * 1024;
const file = openSync(process.argv[2] ?? '', 'r');
const chunk = Buffer.allocUnsafe(chunkSize);
let rest = [];
let lines = 0;
for (let length = readSync(file, chunk); length > 0; length = readSync(file, chunk)) {
  let start = 0;
  for (let end = chunk.indexOf(10); end >= 0 && end < length; end = chunk.indexOf(10, start)) {
    const part = chunk.subarray(start, end);
    JSON.parse(rest.length === 0 ? part.utf8Slice() : Buffer.concat([...rest, part]).utf8Slice());
    rest = [];
    lines += 1;
    start = end + 1;
  }
  if (start < length) {
    rest.push(Buffer.from(chunk.subarray(start, length)));
  }
}
closeSync(file);
process.stdout.write(`${lines}\n`);
