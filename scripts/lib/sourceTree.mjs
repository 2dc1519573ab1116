// Parses TypeScript files and walks their trees.
import { parseSync, visitorKeys } from 'oxc-parser';

/** The tree of a file, in the form of typescript-estree. Throws on a syntax error. */
export function parseFile(path, text) {
  const { program, errors, module } = parseSync(path, text, { preserveParens: false });
  if (errors.length > 0) {
    throw new Error(`${path}: ${errors[0].message}`);
  }
  return { program, module };
}

/**
 * Calls `enter(node, ancestors)` for each node, a parent before its children; the nearest ancestor is last. A node for which it returns
 * false is not walked into.
 */
export function walk(node, enter, ancestors = []) {
  if (enter(node, ancestors) === false) {
    return;
  }
  const inside = [...ancestors, node];
  for (const key of visitorKeys[node.type] ?? []) {
    for (const child of [node[key]].flat()) {
      if (child !== null && child !== undefined) {
        walk(child, enter, inside);
      }
    }
  }
}

/** The text of a literal without values; undefined for anything else. */
export function literalText(node) {
  if (node?.type === 'Literal' && typeof node.value === 'string') {
    return node.value;
  }
  const isPlainTemplate = node?.type === 'TemplateLiteral' && node.quasis.length === 1;
  return isPlainTemplate ? node.quasis[0].value.cooked : undefined;
}

/** The number of the line of a place in a text, from 1 on. */
export function lineAt(text, place) {
  return text.slice(0, place).split('\n').length;
}

/** Every module that a file imports, including types: imported, imported on demand, re-exported. */
export function importsOf(path, text) {
  const names = new Set();
  walk(parseFile(path, text).program, node => {
    const source = literalText(node.source);
    if (/^(Import|ExportNamed|ExportAll)(Declaration|Expression)$/.test(node.type) && source !== undefined) {
      names.add(source);
    }
    if (node.type === 'TSImportType') {
      names.add(literalText(node.source ?? node.argument?.literal ?? node.argument));
    }
    if (node.type === 'CallExpression' && node.callee.name === 'require') {
      names.add(literalText(node.arguments[0]));
    }
  });
  names.delete(undefined);
  return [...names];
}
