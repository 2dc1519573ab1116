import type { Bench } from '../context';

/** The first useful picture of a large file in VS Code compared with that of a small one, warm, one after the other. */
export const picture: Bench = {
  name: 'picture',
  measure: async context => {
    const [large, small] = [context.claudeCode(context.scaled(100)), context.claudeCode(context.scaled(1))];
    const rounds = Array.from({ length: context.rounds }, () => [large.path, small.path]).flat();
    // The first one waits for the extension and the page's script to be loaded.
    const [, ...times] = await context.tools.firstPictures([small.path, ...rounds]);
    return [
      {
        work: `first picture in VS Code, ${Math.round(large.megabytes)} MB Claude Code file`,
        against: `the editor on a file of ${small.megabytes.toFixed(1)} MB`,
        unit: 'ms',
        ours: times.filter((_, index) => index % 2 === 0),
        theirs: times.filter((_, index) => index % 2 === 1),
        target: { kind: 'share', most: 3 },
      },
    ];
  },
};
