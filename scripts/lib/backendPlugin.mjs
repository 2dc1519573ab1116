/** Keeps what talks to models out of the bundles that may need it: they load it from the bundle beside them. */
export const backendPlugin = {
  name: 'backend',
  setup(build) {
    build.onResolve({ filter: /\/backend\/main$/ }, ({ kind }) =>
      kind === 'dynamic-import' ? { path: './backend.js', external: true } : undefined,
    );
  },
};
