import type { PruneOptions } from '../model/pruneConfig';
import { VirtualContext } from '../prune/virtualContext';
import { blockTokens, type Course, promptsByThread, type Prompt } from './course';

/** The course with old results pruned by a rule set, whenever its agent would. See `replayPrune`. */
export function withPruning(course: Course, options: PruneOptions): Course {
  const { session, made } = course;
  const dropped = [...course.dropped];
  const changed = new Map<Prompt, Prompt>();
  for (const prompts of promptsByThread(course)) {
    const recorded = new Map(
      prompts.map(({ request, blocks }) => [request, blocks.filter(block => !made.isMade(block))]),
    );
    const context = new VirtualContext(session, options, request => {
      const blocks = recorded.get(request) ?? new Uint32Array();
      return { context: blocks, length: blocks.length };
    });
    for (const prompt of prompts) {
      if (prompt.added !== undefined) {
        continue;
      }
      context.advance(prompt.request);
      dropped.push(
        ...(context.prunedAt(prompt.request)?.blocks ?? []).map(block => ({
          block,
          request: prompt.request,
        })),
      );
      if (!context.isUntouched) {
        const blocks = prompt.blocks.map(block => {
          const freed = context.freedOf(block);
          return freed === undefined
            ? block
            : made.of(`pruned ${block} ${Math.round(freed)}`, blockTokens(course, block) - freed);
        });
        changed.set(prompt, { ...prompt, blocks });
      }
    }
  }
  return { ...course, dropped, prompts: course.prompts.map(prompt => changed.get(prompt) ?? prompt) };
}
