import { readFileSync } from 'node:fs';

const { layers, floors } = JSON.parse(
  readFileSync(new URL('scripts/lib/layers.json', import.meta.url), 'utf8'),
);

/** The folders of `names` in the form of a relative import, from any depth. */
const above = names => `^(\\.\\./)+(${names.map(name => name.replace(/^src\//, '')).join('|')})(/|$)`;

/** Node's modules, with and without the prefix. */
const nodeModules =
  '^(node:.*|fs|path|crypto|worker_threads|os|url|util|stream|buffer|events|child_process|http|https|net|zlib)$';

/** True if an area of src/core has the name of a layer. Only layers.test.ts tells the two apart in the imports of src/core. */
const isArea = name => floors.flat().some(area => name === `src/${area}`);

const networks = {
  regex: '^(node:)?(http|https|http2|net|tls|ws)$',
  message: 'src/app does not know how its pages are shown.',
};

/**
 * The imports that are forbidden for the files of a layer. test/unit/layers.test.ts checks the same table against the
 * files.
 */
function forbiddenImports(layer) {
  const { imports, vscode, node } = layers[layer];
  const others = Object.keys(layers).filter(
    name => name !== layer && !imports.includes(name) && !(layer === 'src/core' && isArea(name)),
  );
  return [
    {
      // A deeper folder may import an area of src/core with the name src/core in its path, so the whole path from the
      // root is matched.
      regex: `${above(others)}|^(\\.\\./)+test/`,
      message: `${layer} must not import this layer: scripts/lib/layers.json.`,
    },
    ...(vscode ? [] : [{ regex: '^vscode$', message: 'Only src/host and src/extension.ts know VS Code.' }]),
    ...(layer === 'src/app' ? [networks] : []),
    ...(node ? [] : [{ regex: nodeModules, message: `${layer} runs without Node.` }]),
  ];
}

const restricted = patterns => ({ 'no-restricted-imports': ['error', { patterns }] });

const layerRules = Object.keys(layers).map(layer => ({
  files: layer.endsWith('.ts') ? [layer] : [`${layer}/**/*.{ts,tsx}`],
  rules: restricted(forbiddenImports(layer)),
}));

/** An area of src/core imports only areas of lower floors. */
const floorRules = floors.flatMap((areas, floor) =>
  areas.map(area => ({
    files: [`src/core/${area}/**/*.ts`],
    rules: restricted([
      ...forbiddenImports('src/core'),
      {
        regex: above([...areas.filter(other => other !== area), ...floors.slice(floor + 1).flat()]),
        message: `${area} must not import this area of src/core: scripts/lib/layers.json.`,
      },
    ]),
  })),
);

const errors = names => Object.fromEntries(names.map(name => [name, 'error']));

const typescriptRules = errors(
  `adjacent-overload-signatures array-type await-thenable ban-ts-comment ban-tslint-comment class-literal-property-style
  consistent-generic-constructors consistent-indexed-object-style consistent-type-definitions consistent-type-imports dot-notation
  no-array-delete no-base-to-string no-confusing-non-null-assertion no-deprecated no-duplicate-enum-values no-duplicate-type-constituents
  no-dynamic-delete no-empty-object-type no-explicit-any no-extra-non-null-assertion no-extraneous-class no-for-in-array
  no-implied-eval no-inferrable-types no-invalid-void-type no-meaningless-void-operator no-misused-new no-misused-promises
  no-misused-spread no-mixed-enums no-namespace no-non-null-asserted-nullish-coalescing no-non-null-asserted-optional-chain
  no-non-null-assertion no-redundant-type-constituents no-require-imports no-this-alias no-unnecessary-boolean-literal-compare
  no-unnecessary-condition no-unnecessary-template-expression no-unnecessary-type-arguments no-unnecessary-type-assertion
  no-unnecessary-type-constraint no-unnecessary-type-conversion no-unnecessary-type-parameters no-unsafe-argument no-unsafe-assignment
  no-unsafe-call no-unsafe-declaration-merging no-unsafe-enum-comparison no-unsafe-function-type no-unsafe-member-access
  no-unsafe-return no-unsafe-unary-minus no-useless-default-assignment no-wrapper-object-types non-nullable-type-assertion-style
  only-throw-error prefer-as-const prefer-find prefer-for-of prefer-function-type prefer-includes prefer-literal-enum-member
  prefer-namespace-keyword prefer-nullish-coalescing prefer-optional-chain prefer-promise-reject-errors prefer-readonly
  prefer-reduce-type-parameter prefer-regexp-exec prefer-return-this-type prefer-string-starts-ends-with related-getter-setter-pairs
  require-await restrict-plus-operands return-await switch-exhaustiveness-check triple-slash-reference unbound-method
  unified-signatures use-unknown-in-catch-callback-variable`
    .split(/\s+/)
    .map(name => `typescript/${name}`),
);

const accessibilityRules = errors(
  `click-events-have-key-events no-autofocus no-interactive-element-to-noninteractive-role
  no-noninteractive-element-interactions no-noninteractive-element-to-interactive-role no-noninteractive-tabindex
  no-static-element-interactions`
    .split(/\s+/)
    .map(name => `jsx-a11y/${name}`),
);

/** Rules that need type information. */
const withoutTypes = Object.fromEntries(
  `await-thenable no-base-to-string no-implied-eval no-misused-spread no-unsafe-unary-minus restrict-template-expressions unbound-method`
    .split(' ')
    .map(name => [`typescript/${name}`, 'off']),
);

export default {
  plugins: ['eslint', 'typescript', 'import', 'oxc'],
  jsPlugins: ['./scripts/lint/plainMessages.mjs'],
  categories: { correctness: 'error' },
  ignorePatterns: ['dist', 'media', '.vscode-test', 'src/core/globals.d.ts', 'src/core/*/assembly'],
  rules: {
    ...errors([
      ...['curly', 'eqeqeq', 'no-array-constructor', 'no-case-declarations', 'no-control-regex', 'no-empty'],
      ...['no-empty-function', 'no-fallthrough', 'no-prototype-builtins', 'no-redeclare', 'no-regex-spaces'],
      ...['no-unexpected-multiline', 'no-unused-expressions', 'no-useless-constructor', 'no-var'],
      ...['prefer-const', 'prefer-rest-params', 'prefer-spread', 'import/no-cycle'],
    ]),
    'no-unused-vars': ['error', { ignoreRestSiblings: true }],
    // A WebAssembly module has a default export that its plugin creates: scripts/lib/binariesPlugin.mjs.
    'import/default': 'off',
    'typescript/require-array-sort-compare': 'off',
  },
  overrides: [
    {
      files: ['**/*.ts', '**/*.tsx'],
      rules: {
        ...typescriptRules,
        'typescript/consistent-type-assertions': ['error', { assertionStyle: 'never' }],
        'typescript/no-floating-promises': ['error', { ignoreVoid: false }],
        'typescript/no-invalid-void-type': ['error', { allowAsThisParameter: true }],
        'typescript/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
        'typescript/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      },
    },
    ...layerRules,
    ...floorRules,
    {
      files: ['src/host/**/*.ts', 'src/extension.ts'],
      rules: { 'project/plain-messages': 'error' },
    },
    {
      files: ['src/host/messages/userMessages.ts'],
      rules: { 'project/plain-messages': 'off' },
    },
    {
      files: ['src/cli/**/*.ts'],
      rules: {
        'no-console': 'error',
        'no-restricted-properties': [
          'error',
          ...['stdout', 'stderr'].map(property => ({
            object: 'process',
            property,
            message: 'Print through src/cli/output/terminal.ts, which makes control sequences visible.',
          })),
        ],
      },
    },
    {
      files: ['src/cli/output/terminal.ts', 'src/cli/output/ownWords.ts'],
      rules: { 'no-console': 'off', 'no-restricted-properties': 'off' },
    },
    {
      files: ['webview/**/*.tsx'],
      plugins: ['react', 'jsx-a11y'],
      rules: {
        ...accessibilityRules,
        // A role that a tag also has is right if the tag brings its own look or behaviour.
        'jsx-a11y/prefer-tag-over-role': 'off',
        // A toolbar's buttons take the focus instead; axe checks the finished page.
        'jsx-a11y/interactive-supports-focus': 'off',
        'jsx-a11y/control-has-associated-label': 'off',
        'react/rules-of-hooks': 'error',
        'react/exhaustive-deps': 'error',
      },
    },
    {
      // node:test's describe and it return promises that the runner itself awaits.
      files: ['test/**/*.ts', 'test/**/*.tsx', 'research/**/*.ts'],
      rules: { 'typescript/no-floating-promises': 'off' },
    },
    {
      files: ['**/*.mjs', '**/*.cjs'],
      rules: { ...withoutTypes, 'no-undef': 'error', 'no-empty-function': 'off' },
      env: { node: true, es2024: true },
    },
  ],
};
