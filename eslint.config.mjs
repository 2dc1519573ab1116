import { readFileSync } from 'node:fs';
import js from '@eslint/js';
import importX from 'eslint-plugin-import-x';
import { createTypeScriptImportResolver } from 'eslint-import-resolver-typescript';
import jsxA11y from 'eslint-plugin-jsx-a11y';
import reactHooks from 'eslint-plugin-react-hooks';
import tseslint from 'typescript-eslint';

const { layers, floors } = JSON.parse(
  readFileSync(new URL('scripts/lib/layers.json', import.meta.url), 'utf8'),
);

/** Who may import whom. test/unit/layers.test.ts proves the same table from the files themselves. */
const zones = [
  ...Object.entries(layers).map(([layer, { imports }]) => ({
    target: `./${layer}`,
    from: ['./src', './webview', './test'],
    except: [layer, ...imports].map(folder => `./${folder}`),
  })),
  ...floors.flatMap((areas, floor) =>
    areas.map(area => ({
      target: `./src/core/${area}`,
      from: [...areas.filter(other => other !== area), ...floors.slice(floor + 1).flat()].map(
        other => `./src/core/${other}`,
      ),
    })),
  ),
]
  .flatMap(({ target, from, except = [] }) =>
    from.map(source => ({
      target,
      from: source,
      // A zone's exceptions are named from its own folder.
      except: except
        .filter(folder => folder.startsWith(`${source}/`))
        .map(folder => `.${folder.slice(source.length)}`),
    })),
  )
  .filter(
    ({ from, target, except }) => (from !== target && !target.startsWith(`${from}/`)) || except.length > 0,
  );

const vscodeWindow = 'MemberExpression[object.name="vscode"][property.name="window"]';

/**
 * Texts for the user go through src/host/userMessages.ts, so that nothing foreign in them becomes a link or an icon. What is
 * not listed here is forbidden, also what later versions of VS Code add.
 */
const plainMessages = [
  `${vscodeWindow.replaceAll('[', '[object.')}:not([property.name=/^(state|tabGroups|showTextDocument|showOpenDialog|showSaveDialog|registerCustomEditorProvider|registerUriHandler|registerWebviewViewProvider|createWebviewPanel|registerWebviewPanelSerializer)$/])`,
  `:not(MemberExpression) > ${vscodeWindow}`,
  'MemberExpression[object.object.name="vscode"][object.property.name="commands"][property.name=/^register/]',
  'NewExpression[callee.object.name="vscode"][callee.property.name=/^(TreeItem|MarkdownString)$/]',
  // Other ways to the same interfaces.
  'MemberExpression[object.name="vscode"][computed=true]',
  'MemberExpression[object.object.name="vscode"][computed=true]',
  ':not(MemberExpression, ImportNamespaceSpecifier, TSQualifiedName, TSTypeQuery) > Identifier[name="vscode"]',
  'ImportDeclaration[source.value="vscode"] > :matches(ImportSpecifier, ImportDefaultSpecifier)',
  'ImportNamespaceSpecifier[local.name!="vscode"][parent.source.value="vscode"]',
].map(selector => ({ selector, message: 'Texts for the user go through src/host/userMessages.ts.' }));

export default tseslint.config(
  {
    ignores: [
      'dist',
      'node_modules',
      'media',
      '.vscode-test',
      'src/core/globals.d.ts',
      'src/core/*/assembly',
    ],
  },
  js.configs.recommended,
  {
    files: ['**/*.ts', '**/*.tsx'],
    extends: [...tseslint.configs.strictTypeChecked, ...tseslint.configs.stylisticTypeChecked],
    plugins: { 'import-x': importX },
    languageOptions: {
      parserOptions: {
        project: ['./tsconfig.json', './webview/tsconfig.json'],
        tsconfigRootDir: import.meta.dirname,
      },
    },
    settings: { 'import-x/resolver-next': [createTypeScriptImportResolver()] },
    rules: {
      'import-x/no-restricted-paths': ['error', { zones }],
      'import-x/no-cycle': 'error',
      '@typescript-eslint/consistent-type-assertions': ['error', { assertionStyle: 'never' }],
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { ignoreRestSiblings: true }],
      '@typescript-eslint/switch-exhaustiveness-check': 'error',
      '@typescript-eslint/no-floating-promises': ['error', { ignoreVoid: false }],
      '@typescript-eslint/restrict-template-expressions': [
        'error',
        { allowNumber: true, allowBoolean: true },
      ],
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      '@typescript-eslint/prefer-readonly': 'error',
      curly: 'error',
      eqeqeq: 'error',
    },
  },
  {
    files: ['src/**/*.ts', 'webview/**/*.{ts,tsx}'],
    ignores: ['src/host/**', 'src/extension.ts'],
    rules: {
      'no-restricted-imports': [
        'error',
        { paths: [{ name: 'vscode', message: 'Only src/host and src/extension.ts know VS Code.' }] },
      ],
    },
  },
  {
    files: ['src/core/**/*.ts', 'src/protocol/**/*.ts', 'webview/**/*.{ts,tsx}'],
    rules: {
      'no-restricted-imports': [
        'error',
        { paths: ['vscode', 'fs', 'path', 'crypto', 'worker_threads'], patterns: ['node:*'] },
      ],
    },
  },
  {
    files: ['src/host/**/*.ts', 'src/extension.ts'],
    ignores: ['src/host/userMessages.ts'],
    rules: { 'no-restricted-syntax': ['error', ...plainMessages] },
  },
  {
    files: ['src/cli/**/*.ts'],
    ignores: ['src/cli/terminal.ts', 'src/cli/ownWords.ts'],
    rules: {
      'no-console': 'error',
      'no-restricted-properties': [
        'error',
        ...['stdout', 'stderr'].map(property => ({
          object: 'process',
          property,
          message: 'Print through src/cli/terminal.ts, which makes control sequences visible.',
        })),
      ],
    },
  },
  {
    files: ['webview/**/*.tsx'],
    extends: [jsxA11y.flatConfigs.strict],
    plugins: { 'react-hooks': reactHooks },
    rules: { ...reactHooks.configs.recommended.rules },
  },
  {
    // node:test's describe/it return promises that the runner itself awaits.
    files: ['test/**/*.ts', 'test/**/*.tsx', 'research/**/*.ts'],
    rules: { '@typescript-eslint/no-floating-promises': 'off' },
  },
  {
    files: ['**/*.mjs'],
    languageOptions: {
      globals: {
        process: 'readonly',
        console: 'readonly',
        URL: 'readonly',
        Buffer: 'readonly',
        setTimeout: 'readonly',
        clearTimeout: 'readonly',
        fetch: 'readonly',
      },
    },
  },
);
