// Finds small faults that can be planted in a TypeScript file, on its syntax tree. A fault is an edit of the text that
// asks the runtime of plantedFaults.mjs, here named `planted`, if it is active. Left out are types, texts, regular
// expressions, and values in lists of data.
import { lineAt, parseFile, walk } from './sourceTree.mjs';

/** Operators and what they become. The runtime calculates both. */
const binary = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '===': '!==',
  '!==': '===',
  '+': '-',
  '-': '+',
  '*': '/',
  '/': '*',
  '%': '*',
  '<<': '>>',
  '>>': '<<',
  '>>>': '<<',
  '&': '|',
  '|': '&',
};
const assigned = { '+=': '-=', '-=': '+=', '*=': '/=', '/=': '*=' };
const exchanged = {
  some: 'every',
  every: 'some',
  find: 'findLast',
  findLast: 'find',
  findIndex: 'findLastIndex',
  findLastIndex: 'findIndex',
  indexOf: 'lastIndexOf',
  lastIndexOf: 'indexOf',
  startsWith: 'endsWith',
  endsWith: 'startsWith',
  min: 'max',
  max: 'min',
  floor: 'ceil',
  ceil: 'floor',
};
const leftOut = new Set(
  'filter toSorted toReversed reverse slice trim trimStart trimEnd toLowerCase toUpperCase'.split(' '),
);

/** The nodes of TypeScript that have a value. */
const hasValue = /^TS(As|Satisfies|NonNull)Expression$|^TSParameterProperty$/;
const isFunction = /Function/;

/** True in an object or a list outside of functions: a table, whose values are no code. */
function isData(ancestors) {
  const inner = ancestors.slice(ancestors.findLastIndex(({ type }) => isFunction.test(type)) + 1);
  return (
    inner.length === ancestors.length &&
    inner.some(({ type }) => type === 'ArrayExpression' || type === 'ObjectExpression')
  );
}

const isText = node =>
  node.type === 'TemplateLiteral' ||
  (node.type === 'Literal' && typeof node.value === 'string') ||
  (node.type === 'BinaryExpression' && (isText(node.left) || isText(node.right)));

/** True inside `a?.b.c`, where an edit in brackets would end the short circuit. */
const isInChain = (node, parent) => parent?.object === node || parent?.callee === node;

/** The faults of a file: the edit, its line, and the fault in words. `edit(number)` returns the new text. */
export function faultPlaces(path, text) {
  const found = [];
  const add = ({ start, end }, fault, edit) =>
    found.push({ path, start, end, line: lineAt(text, start), fault, edit });
  const textOf = ({ start, end }) => text.slice(start, end);
  /** The texts on both sides of an operator, with brackets. */
  const sides = ({ start, end, left, right, operator }) => {
    const at = text.indexOf(operator, left.end);
    return at < right.start ? [text.slice(start, at), text.slice(at + operator.length, end)] : undefined;
  };
  const condition = (test, values) =>
    values.forEach(value =>
      add(test, `condition always ${value}`, id => `planted.condition(${id}, ${textOf(test)}, ${value})`),
    );
  const either = (node, fault, changed) =>
    add(node, fault, id => `(planted.on(${id}) ? ${changed} : ${textOf(node)})`);

  const kinds = {
    IfStatement: ({ test }) => condition(test, [true, false]),
    ConditionalExpression: ({ test }) => condition(test, [true, false]),
    WhileStatement: ({ test }) => condition(test, [false]),
    ForStatement: ({ test }) => test !== null && condition(test, [false]),
    BinaryExpression: node => {
      const [left, right] = sides(node) ?? [];
      const { operator } = node;
      const changed = binary[operator];
      if (left !== undefined && changed !== undefined && !(operator === '+' && isText(node))) {
        const edit = id => `planted.binary(${id}, ${left}, ${right}, '${operator}')`;
        add(node, `${operator} becomes ${changed}`, edit);
      }
    },
    LogicalExpression: node => {
      const [left, right] = sides(node) ?? [];
      if (left === undefined) {
        return;
      }
      if (node.operator === '??') {
        either(node, '?? always takes the fallback', `(${right})`);
      } else {
        const changed = node.operator === '&&' ? '||' : '&&';
        either(node, `${node.operator} becomes ${changed}`, `(${left}) ${changed} (${right})`);
      }
    },
    UnaryExpression: node => {
      if (node.operator === '!' || node.operator === '-') {
        either(node, `${node.operator} left out`, `(${textOf(node).slice(1)})`);
      }
    },
    UpdateExpression: node => {
      const { operator } = node;
      const changed = operator === '++' ? '--' : '++';
      either(node, `${operator} becomes ${changed}`, textOf(node).replace(operator, changed));
    },
    AssignmentExpression: node => {
      const { operator, right } = node;
      const changed = assigned[operator];
      if (changed !== undefined && !isText(right)) {
        const [left, value] = sides(node);
        either(node, `${operator} becomes ${changed}`, `${left}${changed}${value}`);
      }
    },
    Literal: (node, parent) => {
      const { value } = node;
      const isName = parent.type === 'Property' && parent.key === node;
      const isFallback = parent.type === 'LogicalExpression' && parent.operator === '??';
      if (isName || isFallback || (typeof value !== 'number' && typeof value !== 'boolean')) {
        return;
      }
      const changed = typeof value === 'number' ? value + 1 : !value;
      const edit = id => `planted.value(${id}, ${textOf(node)}, ${changed})`;
      add(node, `${textOf(node)} becomes ${changed}`, edit);
    },
    CallExpression: (node, parent) => {
      const { callee } = node;
      if (callee.type !== 'MemberExpression' || callee.computed || callee.property.type !== 'Identifier') {
        return;
      }
      const { object, property } = callee;
      const dot = text.lastIndexOf(callee.optional ? '?.' : '.', property.start);
      const { name } = property;
      if (Object.hasOwn(exchanged, name)) {
        const edit = id =>
          `${callee.optional ? '?.' : ''}[planted.on(${id}) ? '${exchanged[name]}' : '${name}']`;
        add({ start: dot, end: property.end }, `${name} becomes ${exchanged[name]}`, edit);
      } else if (leftOut.has(name) && object.type !== 'Super' && !isInChain(node, parent)) {
        either(node, `${name} left out`, text.slice(node.start, dot));
      }
    },
    ExpressionStatement: node => {
      const { expression } = node;
      const inner = expression.type === 'AwaitExpression' ? expression.argument : expression;
      const call = inner.type === 'ChainExpression' ? inner.expression : inner;
      if (call.type === 'CallExpression' && call.callee.type !== 'Super') {
        add(node, 'call left out', id => `if (!planted.on(${id})) { ${textOf(node)} }`);
      }
    },
  };

  walk(parseFile(path, text).program, (node, ancestors) => {
    if ((node.type.startsWith('TS') && !hasValue.test(node.type)) || node.type === 'ImportDeclaration') {
      return false;
    }
    if (Object.hasOwn(kinds, node.type) && !isData(ancestors)) {
      kinds[node.type](node, ancestors.at(-1), ancestors);
    }
    return true;
  });
  return found;
}
