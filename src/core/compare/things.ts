import { groupBy } from '../base/groupBy';
import { hasBits } from '../base/numbers';
import { type BreakdownTree, kindOfNode } from '../breakdown/breakdownTree';
import { leafShares } from '../breakdown/parts';
import { blockFlags } from '../model/block';
import { kindOf } from '../model/blockWords';
import { hashDigits } from '../model/contentHash';
import { sources } from '../model/source';
import type { TextPart } from '../model/transcript';
import { sightAuditOf } from '../questions/sightQuestion';
import { blockSources } from '../view/sourceSums';
import type { DifferenceKind } from './comparison';
import { FoundThings } from './found';
import type { Side } from './side';

type Things = Readonly<Record<DifferenceKind, FoundThings>>;

const fileSource = sources.indexOf('files');

/** All named things of a session, by kind. Reads the texts of calls, and the texts that contain memory files. */
export async function thingsOf(side: Side): Promise<Things> {
  const things: Things = {
    tools: new FoundThings(),
    called: new FoundThings(),
    memory: new FoundThings(),
    skills: new FoundThings(),
    read: new FoundThings(),
    edited: new FoundThings(),
    programs: new FoundThings(),
    commands: new FoundThings(),
  };
  addTools(side, things);
  await addParts(side, things);
  await addFiles(side, things);
  return things;
}

function addTools(side: Side, { tools, called }: Things): void {
  const { blocks, strings } = side.columns;
  for (const block of side.blocks) {
    const name = strings.at(blocks.tool[block] ?? 0) ?? '';
    const kind = kindOf(blocks, block);
    if (kind === 'toolSchema') {
      tools.addOnce(name, block, side.tokensOf(block), formOf(side, block));
    } else if (kind === 'toolCall' && name !== '') {
      const answer = blocks.pair[block] ?? -1;
      const both = [block, answer].filter(each => side.holds(each));
      called.add(name, both, tokensOf(side, both));
    }
  }
}

/** Adds memory files, skills and agents, programs and their commands, as the breakdown groups them. */
async function addParts(side: Side, things: Things): Promise<void> {
  const { tree, columns, paths } = side;
  const shares = leafShares(tree);
  const partOf = partsByLeaf(side);
  const forms = await formsOfParts(side, [...partOf.values()]);
  for (let leaf = 0; leaf < tree.count; leaf += 1) {
    const block = tree.block[leaf] ?? -1;
    if (!side.holds(block)) {
      continue;
    }
    const part = partOf.get(leaf);
    const form = part === undefined ? formOf(side, block) : (forms.get(part) ?? '');
    const tokens = side.tokensOf(block) * (shares.get(leaf) ?? 1);
    const path = columns.strings.at(columns.blocks.path[block] ?? 0) ?? '';
    const above = tree.parent[leaf] ?? 0;
    const kind = kindOfNode(tree, above);
    if (kind === 'file' && isBelowMemory(tree, above)) {
      things.memory.addOnce(paths.nameOf(part?.name ?? path), block, tokens, form);
    } else if (kind === 'skill' || kind === 'agent') {
      things.skills.addOnce(tree.nameOf(above), block, tokens, form);
    } else if (kind === 'command') {
      things.commands.add(tree.nameOf(above), [block], tokens);
      things.programs.add(tree.nameOf(tree.parent[above] ?? 0), [block], tokens);
    }
  }
}

function isBelowMemory(tree: BreakdownTree, node: number): boolean {
  const above = tree.parent[node] ?? 0;
  return (
    kindOfNode(tree, kindOfNode(tree, above) === 'folder' ? (tree.parent[above] ?? 0) : above) === 'memory'
  );
}

/** The part of a client's text at each leaf of a divided block. */
function partsByLeaf({ tree, columns, opened }: Side): ReadonlyMap<number, TextPart> {
  const parts = groupBy(opened.summary.parts ?? [], ({ block }) => block);
  const found = new Map<number, TextPart>();
  for (const { leaf, parts: leaves } of tree.divided) {
    const own = parts.get(columns.blocks.content[tree.block[leaf] ?? -1] ?? -1) ?? [];
    // If nothing else is left of a block, its own leaf is the last part.
    [...leaves.map(each => each.leaf), leaf].forEach((each, place) => {
      const part = own[place];
      if (part !== undefined) {
        found.set(each, part);
      }
    });
  }
  return found;
}

async function formsOfParts(side: Side, parts: readonly TextPart[]): Promise<ReadonlyMap<TextPart, string>> {
  const byBlock = groupBy(new Set(parts), ({ block }) => block);
  const forms = new Map<TextPart, string>();
  for await (const { block, text } of side.session.textsOf([...byBlock.keys()])) {
    for (const part of byBlock.get(block) ?? []) {
      forms.set(part, text.slice(part.start, part.end).trim());
    }
  }
  return forms;
}

/** Adds files that calls read and edited, and files that were attached to a prompt. */
async function addFiles(side: Side, { read, edited }: Things): Promise<void> {
  const { paths, columns } = side;
  const { blocks, strings } = columns;
  const { readings, report } = await sightAuditOf(side.session);
  for (const [call, files] of readings) {
    const result = blocks.pair[call] ?? -1;
    if (side.holds(result) && !isFailed(side, result)) {
      for (const { path } of files) {
        read.add(paths.nameOf(path), [result], side.tokensOf(result) / files.length);
      }
    }
  }
  const origins = blockSources(columns);
  for (const block of side.blocks) {
    const path = strings.at(blocks.path[block] ?? 0) ?? '';
    if (path !== '' && origins[block] === fileSource && kindOf(blocks, block) === 'injected') {
      read.add(paths.nameOf(path), [block], side.tokensOf(block));
    }
  }
  for (const { block, path, outcome } of report.edits) {
    if (side.holds(block) && (outcome === 'applied' || outcome === 'unanswered')) {
      edited.add(paths.nameOf(path), [block], side.tokensOf(block));
    }
  }
}

const isFailed = ({ columns }: Side, block: number): boolean =>
  hasBits(columns.blocks.flags, block, blockFlags.error);

const formOf = ({ columns: { blocks } }: Side, block: number): string =>
  hashDigits(blocks.hashHigh[block], blocks.hashLow[block]);

const tokensOf = (side: Side, blocks: readonly number[]): number =>
  blocks.reduce((sum, block) => sum + side.tokensOf(block), 0);
