import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { posix } from 'node:path';
import { describe, test } from 'node:test';
import { parseSync, Visitor } from 'oxc-parser';
import table from '../../scripts/lib/layers.json';

interface Layer {
  /** Folders, or one file, that it may import besides itself. */
  readonly imports: readonly string[];
  readonly vscode: boolean;
  readonly node: boolean;
}

/** The table that oxlint.config.mjs reads too; here it is checked against the files. */
const layers: Readonly<Record<string, Layer>> = table.layers;
/** The areas of src/core from the ground up. An area imports only areas of lower floors. */
const floors: readonly (readonly string[])[] = table.floors;

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

/** Every module that a file names, including types: imported, imported on demand, re-exported, required. */
function namedModules(path: string): readonly string[] {
  const { program } = parseSync(path, readFileSync(path, 'utf8'));
  const names: string[] = [];
  const add = (source: { readonly value?: unknown; readonly type: string } | null | undefined): void => {
    if (typeof source?.value === 'string') {
      names.push(source.value);
    }
  };
  new Visitor({
    ImportDeclaration: ({ source }) => add(source),
    ImportExpression: ({ source }) => add(source),
    ExportNamedDeclaration: ({ source }) => add(source),
    ExportAllDeclaration: ({ source }) => add(source),
    TSImportType: ({ source }) => add(source),
    CallExpression: ({ callee, arguments: [first] }) => {
      if (callee.type === 'Identifier' && callee.name === 'require' && first?.type === 'Literal') {
        add(first);
      }
    },
  }).visit(program);
  return names;
}

const importsByFile = new Map(files.map(path => [path, namedModules(path)]));

function importsOf(path: string): readonly string[] {
  return importsByFile.get(path) ?? [];
}

/** For every file, the files of the project that it imports. */
const graph: ReadonlyMap<string, readonly string[]> = new Map(
  files.map(file => [
    file,
    importsOf(file).flatMap(imported => {
      const target = posix.join(posix.dirname(file), imported);
      const names = [target, `${target}.ts`, `${target}.tsx`];
      return imported.startsWith('.') ? files.filter(name => names.includes(name)) : [];
    }),
  ]),
);

/** The area of a file in src/core: `formats` for src/core/formats/codex/codex.ts. */
function areaOf(path: string): string {
  return path.split('/')[2] ?? '';
}

/** Every file that imports itself through others, with its imports that lead back to it. */
function circles(imports: ReadonlyMap<string, readonly string[]>): readonly string[] {
  const reachable = (from: string): ReadonlySet<string> => {
    const found = new Set<string>([from]);
    for (const file of found) {
      imports.get(file)?.forEach(target => found.add(target));
    }
    return found;
  };
  return [...imports].flatMap(([file, targets]) => {
    const back = targets.filter(target => reachable(target).has(file));
    return back.length === 0 ? [] : [`${file} → ${back.join(', ')}`];
  });
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

  test('src/app does not know how its pages are shown', () => {
    const forbidden = files
      .filter(path => isWithin(path, 'src/app'))
      .flatMap(file =>
        importsOf(file)
          .filter(imported => /^(?:vscode|ws|(?:node:)?(?:https?|http2|net|tls))$/.test(imported))
          .map(imported => `${file} → ${imported}`),
      );
    assert.deepEqual(forbidden, []);
  });

  test('every area of src/core stands on a floor, and every floor has files', () => {
    const areas = new Set(files.filter(path => /^src\/core\/.+\//.test(path)).map(areaOf));
    assert.deepEqual([...areas].sort(), floors.flat().sort());
    assert.deepEqual(
      files.filter(path => /^src\/core\/[^/]+$/.test(path)),
      ['src/core/globals.d.ts'],
    );
  });

  test('an area of src/core imports areas of lower floors alone', () => {
    const floorOf = (area: string): number => floors.findIndex(areas => areas.includes(area));
    const forbidden = [...graph].flatMap(([file, imported]) =>
      imported
        .filter(target => isWithin(file, 'src/core') && areaOf(target) !== areaOf(file))
        .filter(target => floorOf(areaOf(target)) >= floorOf(areaOf(file)))
        .map(target => `${file} → ${target}`),
    );
    assert.deepEqual(forbidden, []);
  });

  test('no files import each other in a circle, types included', () => {
    assert.deepEqual(circles(graph), []);
  });

  test('src/core is compiled without the types of Node, VS Code and the DOM', () => {
    const options = readFileSync('src/core/tsconfig.json', 'utf8');
    assert.match(options, /"types": \[\]/);
    assert.match(options, /"lib": \["ES2023"\]/);
  });
});
