import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { scanText } from '../../../src/core/sensitivity/scanTexts';
import { secretScanner } from '../../../src/node/secrets/secretScannerOnDemand';

const largest = 30_000_000;

function* filesBelow(path: string): Generator<string> {
  if (!statSync(path).isDirectory()) {
    yield path;
    return;
  }
  for (const entry of readdirSync(path, { withFileTypes: true })) {
    const inner = join(path, entry.name);
    if (entry.isDirectory()) {
      yield* filesBelow(inner);
    } else if (entry.isFile() && statSync(inner).size <= largest) {
      yield inner;
    }
  }
}

/** Scans the texts in files and folders, and prints the findings of credentials, the rates and the speed. */
async function main(paths: readonly string[]): Promise<void> {
  const counts = new Map<string, number>();
  let [bytes, milliseconds] = [0, 0];
  for (const file of paths.flatMap(path => [...filesBelow(path)])) {
    const content = readFileSync(file);
    if (content.subarray(0, 4096).includes(0)) {
      continue;
    }
    const text = content.toString('utf8');
    const { user, system } = process.cpuUsage();
    const found = await scanText(text, secretScanner);
    const after = process.cpuUsage();
    milliseconds += (after.user + after.system - user - system) / 1000;
    bytes += content.length;
    for (const { rule, label, start, end } of found) {
      counts.set(`${label} ${rule}`, (counts.get(`${label} ${rule}`) ?? 0) + 1);
      if (label === 'restricted') {
        console.log(
          `${file}: ${rule}: ${JSON.stringify(text.slice(Math.max(0, start - 40), end).slice(0, 160))}`,
        );
      }
    }
  }
  const megabytes = bytes / 1e6;
  for (const [name, count] of [...counts].sort((first, second) => second[1] - first[1])) {
    console.log(`${(count / megabytes).toFixed(3)} per MB: ${name}, ${count}`);
  }
  console.log(`${megabytes.toFixed(1)} MB, ${((megabytes * 1000) / milliseconds).toFixed(1)} MB/s`);
}

void main(process.argv.slice(2));
