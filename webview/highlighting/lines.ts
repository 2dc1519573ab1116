import { isArray } from '../../src/core/base/json';
import type { CodeRun } from '../state/highlightingContract';

/** The members of a coloured tree that are read here. */
export interface ColouredNode {
  readonly type: string;
  readonly value?: string;
  readonly children?: readonly ColouredNode[];
  readonly properties?: { readonly className?: unknown };
}

/** The colours of the page, by the classes of the library. */
const kinds: Readonly<Record<string, string>> = {
  keyword: 'keyword',
  'selector-tag': 'keyword',
  'meta-keyword': 'keyword',
  built_in: 'type',
  type: 'type',
  title: 'name',
  section: 'name',
  name: 'keyword',
  attr: 'attribute',
  attribute: 'attribute',
  property: 'attribute',
  variable: 'attribute',
  'template-variable': 'attribute',
  params: '',
  string: 'string',
  regexp: 'string',
  char: 'string',
  symbol: 'string',
  link: 'string',
  quote: 'comment',
  comment: 'comment',
  doctag: 'comment',
  number: 'number',
  literal: 'number',
  meta: 'comment',
  addition: 'added',
  deletion: 'removed',
};

function kindOf({ properties }: ColouredNode): string | undefined {
  const { className } = properties ?? {};
  const [first] = isArray(className) ? className : [];
  return typeof first === 'string' ? kinds[first.replace(/^hljs-/, '')] : undefined;
}

/** A coloured tree as lines. The innermost colour counts. */
export function linesOfTree(nodes: readonly ColouredNode[]): readonly (readonly CodeRun[])[] {
  const lines: CodeRun[][] = [[]];
  const walk = (children: readonly ColouredNode[], kind: string): void => {
    for (const node of children) {
      if (node.type === 'text') {
        (node.value ?? '').split('\n').forEach((text, index) => {
          if (index > 0) {
            lines.push([]);
          }
          if (text !== '') {
            lines.at(-1)?.push({ text, kind });
          }
        });
      } else {
        walk(node.children ?? [], kindOf(node) ?? kind);
      }
    }
  };
  walk(nodes, '');
  return lines;
}
