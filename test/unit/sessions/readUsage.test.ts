import assert from 'node:assert/strict';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { usageOf } from '../../../src/core/finder/readUsage';
import { readTranscript } from '../../../src/core/formats/readTranscript';
import { lookUpModel } from '../../../src/core/tokens/modelTable';
import { openFile } from '../../../src/node/fileByteSource';
import { decoderTools } from '../../../src/node/database';
import { siblingFilesOf } from '../../../src/node/siblingFiles';
import { decodeText } from '../../../src/node/decodeText';

describe('x', () => {
  it('y', async () => {
    for (const folder of readdirSync('/work/shared/samples')) {
      const dir = join('/work/shared/samples', folder);
      if (!statSync(dir).isDirectory()) continue;
      for (const name of readdirSync(dir)) {
        const path = join(dir, name);
        if (!statSync(path).isFile()) continue;
        const out = [];
        const t = [];
        for (const usageOnly of [true, false]) {
          const source = await openFile(path);
          const b = performance.now();
          const r = await readTranscript(source, { usageOnly, decodeText, tools: decoderTools, siblings: siblingFilesOf(path) });
          t.push(performance.now() - b);
          out.push(r.ok ? usageOf(r.transcript, lookUpModel) : r.sentence);
          await source.close();
        }
        if (JSON.stringify(out[0]) !== JSON.stringify(out[1])) console.log('DIFF', path, JSON.stringify(out));
        else console.log('same', folder, name, JSON.stringify(out[0]), t.map(x => x.toFixed(0)).join(' '), statSync(path).size);
      }
    }
  });
});
