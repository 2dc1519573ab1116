import { serverToolOf } from '../content/toolSources';
import { hasBits } from '../base/numbers';
import { blockFlags, type BlockKind } from '../model/block';
import { kindOf } from '../model/blockWords';
import type { SessionSummary } from '../model/columns';
import { blockTokens, type Course, withBlocks } from './course';

/** Tokens of a tool's name in a list of tools that are loaded when they are needed. */
const nameTokens = 12;

export function kindIn({ session, made }: Course, block: number): BlockKind | undefined {
  return made.isMade(block) ? undefined : kindOf(session.columns.blocks, block);
}

function toolIn({ session, made }: Course, block: number): string {
  const { blocks, strings } = session.columns;
  return made.isMade(block) ? '' : (strings.at(blocks.tool[block] ?? 0) ?? '');
}

/** The course with the results back in place that the agent had cleared; the same course if there are none. */
export function withClearedRestored(course: Course): Course {
  const { columns } = course.session;
  const { blocks } = columns;
  const originals = new Map<number, number>();
  const cleared: number[] = [];
  blocks.callId.forEach((call, block) => {
    if (call === 0 || kindOf(blocks, block) !== 'toolResult') {
      return;
    }
    if (hasBits(blocks.flags, block, blockFlags.cleared)) {
      cleared.push(block);
    } else if (!originals.has(call)) {
      originals.set(call, block);
    }
  });
  const back = new Map(
    cleared.flatMap(block => {
      const original = originals.get(blocks.callId[block] ?? 0);
      return original === undefined ? [] : [[block, original] as const];
    }),
  );
  return back.size === 0
    ? course
    : withBlocks(course, sent =>
        sent.some(block => back.has(block)) ? sent.map(block => back.get(block) ?? block) : sent,
      );
}

/** The course without thinking of earlier replies; undefined if none is on record. */
export function withoutThinking(course: Course): Course | undefined {
  return without(course, block => kindIn(course, block) === 'thinking');
}

/** The course without the tools of a server; undefined if its tools are not on record. */
export function withoutServer(course: Course, server: string): Course | undefined {
  return without(
    course,
    block =>
      kindIn(course, block) === 'toolSchema' &&
      serverToolOf(toolIn(course, block))?.server.toLowerCase() === server.toLowerCase(),
  );
}

/** True if the record holds tools that are offered to the model. */
export function recordsTools(course: Course): boolean {
  return course.prompts.some(({ blocks }) => blocks.some(block => kindIn(course, block) === 'toolSchema'));
}

/** The course with its blocks changed; undefined if nothing changes. */
function unlessSame(course: Course, change: (blocks: Uint32Array) => Uint32Array): Course | undefined {
  const changed = withBlocks(course, change);
  return changed.prompts.some((prompt, place) => prompt !== course.prompts[place]) ? changed : undefined;
}

/** The course without some blocks; undefined if it has none of them. */
function without(course: Course, goes: (block: number) => boolean): Course | undefined {
  return unlessSame(course, blocks => {
    const kept = blocks.filter(block => !goes(block));
    return kept.length === blocks.length ? blocks : kept;
  });
}

/**
 * The course with the tools of servers loaded when they are first called: until then the prompt holds their names alone.
 * Undefined if no tool of a server is on record.
 */
export function withDeferredTools(course: Course): Course | undefined {
  const { made } = course;
  const isDeferred = (block: number): boolean =>
    kindIn(course, block) === 'toolSchema' && serverToolOf(toolIn(course, block)) !== undefined;
  return unlessSame(course, blocks => {
    const schemas = new Map<string, number[]>();
    const names: string[] = [];
    for (const block of blocks) {
      if (isDeferred(block)) {
        const tool = toolIn(course, block);
        schemas.set(tool, [...(schemas.get(tool) ?? []), block]);
        names.push(tool);
      }
    }
    if (names.length === 0) {
      return blocks;
    }
    const list = made.of(`names ${names.join(' ')}`, names.length * nameTokens);
    const sent: number[] = [];
    let isListed = false;
    for (const block of blocks) {
      if (isDeferred(block)) {
        if (!isListed) {
          sent.push(list);
        }
        isListed = true;
        continue;
      }
      if (kindIn(course, block) === 'toolCall') {
        const tool = toolIn(course, block);
        sent.push(...(schemas.get(tool) ?? []));
        schemas.delete(tool);
      }
      sent.push(block);
    }
    return Uint32Array.from(sent);
  });
}

/** The course without a memory file; undefined if the file is not on record. */
export function withoutMemory(
  course: Course,
  file: string,
  parts: SessionSummary['parts'] = [],
): Course | undefined {
  const { blocks } = course.session.columns;
  /** The share of each block's text that goes, by the content of the block. */
  const shares = new Map<number, number>();
  for (const { kind, name, block, start, end } of parts) {
    if (kind === 'memory' && isNamed(name, file)) {
      const share = (end - start) / Math.max(1, blocks.characters[block] ?? 0);
      const content = blocks.content[block] ?? block;
      shares.set(content, (shares.get(content) ?? 0) + share);
    }
  }
  const shareOf = (block: number): number =>
    course.made.isMade(block) ? 0 : (shares.get(blocks.content[block] ?? block) ?? 0);
  if (!course.prompts.some(({ blocks: sent }) => sent.some(block => shareOf(block) > 0))) {
    return undefined;
  }
  return withBlocks(course, sent =>
    sent.some(block => shareOf(block) > 0)
      ? sent.map(block => {
          const share = shareOf(block);
          return share === 0
            ? block
            : course.made.of(
                `without ${file} ${blocks.content[block] ?? block}`,
                blockTokens(course, block) * (1 - Math.min(1, share)),
              );
        })
      : sent,
  );
}

/** True if a path ends in the given one: `CLAUDE.md` names every file of this name. */
function isNamed(path: string, file: string): boolean {
  const [whole, end] = [path.replaceAll('\\', '/'), file.replaceAll('\\', '/')];
  return whole === end || whole.endsWith(`/${end}`);
}
