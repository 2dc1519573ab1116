import js from '@eslint/js';
import importX from 'eslint-plugin-import-x';
import { createTypeScriptImportResolver } from 'eslint-import-resolver-typescript';
import jsxA11y from 'eslint-plugin-jsx-a11y';
import reactHooks from 'eslint-plugin-react-hooks';
import tseslint from 'typescript-eslint';

/** Who may import whom. test/unit/layers.test.ts proves the same table from the files themselves. */
const zones = [
  { target: './src/core', from: ['./src', './webview', './test'], except: ['./core'] },
  { target: './src/backend', from: ['./src', './webview', './test'], except: ['./core', './backend'] },
  { target: './src/protocol', from: ['./src', './webview', './test'], except: ['./core', './protocol'] },
  {
    target: './src/worker',
    from: ['./src', './webview', './test'],
    except: ['./core', './protocol', './worker', './node'],
  },
  { target: './src/node', from: ['./src', './webview', './test'], except: ['./core', './node'] },
  {
    target: './src/cli',
    from: ['./src', './webview', './test'],
    except: ['./core', './backend', './node', './cli'],
  },
  {
    target: './src/host',
    from: ['./src', './webview', './test'],
    except: ['./core', './backend', './protocol', './node', './host'],
  },
  { target: './webview', from: ['./src', './test'], except: ['./core', './protocol'] },
].flatMap(({ target, from, except }) =>
  from.map(source => ({ target, from: source, ...(source === './src' ? { except } : {}) })),
);

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
    files: ['webview/**/*.tsx'],
    extends: [jsxA11y.flatConfigs.strict],
    plugins: { 'react-hooks': reactHooks },
    rules: { ...reactHooks.configs.recommended.rules },
  },
  {
    // node:test's describe/it return promises that the runner itself awaits.
    files: ['test/**/*.ts', 'test/**/*.tsx'],
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
