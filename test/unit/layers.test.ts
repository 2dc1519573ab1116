import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { posix } from 'node:path';
import { describe, test } from 'node:test';
import ts from 'typescript';

interface Layer {
  /** Folders, or one file, that it may import besides itself. */
  readonly imports: readonly string[];
  readonly vscode: boolean;
  readonly node: boolean;
}

const pure = { vscode: false, node: false };
const onNode = { vscode: false, node: true };
const inVscode = { vscode: true, node: true };

/** The table of eslint.config.mjs, proved here from what the files say. */
const layers: Readonly<Record<string, Layer>> = {
  'src/core': { ...pure, imports: [] },
  'src/backend': { ...pure, imports: ['src/core'] },
  'src/protocol': { ...pure, imports: ['src/core'] },
  'src/node': { ...onNode, imports: ['src/core'] },
  'src/worker': { ...onNode, imports: ['src/core', 'src/protocol', 'src/node'] },
  'src/cli': { ...onNode, imports: ['src/core', 'src/backend', 'src/node'] },
  'src/host': { ...inVscode, imports: ['src/core', 'src/backend', 'src/protocol', 'src/node'] },
  'src/extension.ts': { ...inVscode, imports: ['src/host'] },
  webview: { ...pure, imports: ['src/core', 'src/protocol'] },
};

const files = ['src', 'webview'].flatMap(folder =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map(path => posix.join(folder, path.replaceAll('\\', '/')))
    .filter(path => /\.tsx?$/.test(path)),
);

function isWithin(path: string, folder: string): boolean {
  return path === folder || path === folder.replace(/\.ts$/, '') || path.startsWith(`${folder}/`);
}

function layerOf(path: string): string | undefined {
  return Object.keys(layers).find(name => isWithin(path, name));
}

/** Every module that a file names, types included: static, dynamic, re-exported, required. */
function importsOf(path: string): readonly string[] {
  const { importedFiles } = ts.preProcessFile(readFileSync(path, 'utf8'), true, true);
  return importedFiles.map(({ fileName }) => fileName);
}

function isAllowed({ imports, vscode, node }: Layer, name: string, file: string, imported: string): boolean {
  if (imported.startsWith('.')) {
    const target = posix.join(posix.dirname(file), imported);
    return [name, ...imports, 'node_modules'].some(folder => isWithin(target, folder));
  }
  return imported === 'vscode' ? vscode : node || !isBuiltin(imported);
}

describe('layers', () => {
  test('every file belongs to one', () => {
    assert.deepEqual(
      files.filter(path => layerOf(path) === undefined),
      [],
    );
  });

  for (const [name, layer] of Object.entries(layers)) {
    test(`${name} imports only what it may`, () => {
      const own = files.filter(path => isWithin(path, name));
      assert.notEqual(own.length, 0);
      const forbidden = own.flatMap(file =>
        importsOf(file)
          .filter(imported => !isAllowed(layer, name, file, imported))
          .map(imported => `${file} → ${imported}`),
      );
      assert.deepEqual(forbidden, []);
    });
  }

  test('src/core is compiled without the types of Node, VS Code and the DOM', () => {
    const options = ts.getParsedCommandLineOfConfigFile('src/core/tsconfig.json', undefined, {
      ...ts.sys,
      onUnRecoverableConfigFileDiagnostic: ({ messageText }) =>
        assert.fail(ts.flattenDiagnosticMessageText(messageText, ' ')),
    })?.options;
    assert.deepEqual(options?.types, []);
    assert.deepEqual(options.lib, ['lib.es2023.d.ts']);
  });
});
