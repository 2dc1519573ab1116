// Separate bundles for modules that few runs need. `import()` of such a module loads the bundle beside the caller's.
import { resolve } from 'node:path';

/** The entry of each such bundle, by the bundle's name. */
export const onDemand = {
  backend: 'src/backend/main.ts',
  guard: 'src/cli/guardHook.ts',
  protocol: 'src/node/mcp/sdk.ts',
  secrets: 'src/node/secrets/secretScanner.ts',
  sqlite: 'src/node/databases/sqlite.ts',
  view: 'src/view/main.ts',
};

const names = new Map(Object.entries(onDemand).map(([name, entry]) => [resolve(entry), name]));

/** Keeps these modules out of the bundles that import them. */
export const onDemandPlugin = {
  name: 'on-demand',
  setup(build) {
    build.onResolve({ filter: /^\./ }, ({ kind, path, resolveDir }) => {
      const name = kind === 'dynamic-import' ? names.get(resolve(resolveDir, `${path}.ts`)) : undefined;
      return name === undefined ? undefined : { path: `./${name}.js`, external: true };
    });
  },
};
