// Plants faults in bundles. All faults are in one build, so that each needs no build of its own.
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const runtime = join(import.meta.dirname, 'faultRuntime.cjs');

/** An esbuild plugin that plants the faults of a folder's file `faults.json`: edits of files. */
export function plantedFaults(folder) {
  const faults = JSON.parse(readFileSync(join(folder, 'faults.json'), 'utf8'));
  const byPath = Map.groupBy(faults, ({ path }) => resolve(path));
  return {
    name: 'planted-faults',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^planted:runtime$/ }, ({ path }) => ({ path, namespace: 'planted' }));
      onLoad({ filter: /./, namespace: 'planted' }, () => ({
        contents: `import start from ${JSON.stringify(runtime)}; start(${JSON.stringify(resolve(folder))});`,
        resolveDir: import.meta.dirname,
      }));
      onLoad({ filter: /\.tsx?$/ }, ({ path }) => {
        const contents = byPath
          .get(path)
          ?.toSorted((one, other) => other.start - one.start)
          .reduce(
            (text, { start, end, edit }) => text.slice(0, start) + edit + text.slice(end),
            readFileSync(path, 'utf8'),
          );
        return contents && { contents: `import 'planted:runtime';${contents}`, loader: 'ts' };
      });
    },
  };
}
