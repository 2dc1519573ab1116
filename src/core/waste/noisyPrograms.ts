/** Output of a program that a flag can avoid. */
export interface NoisyProgram {
  readonly id: string;
  /** The avoidable part of the output. */
  readonly what: 'passing' | 'progress' | 'rest';
  /** The command lines that run it. */
  readonly command: RegExp;
  /** A pattern in the output, if the command does not identify the program. */
  readonly output?: RegExp;
  /** Lines that the flag avoids. */
  readonly line?: RegExp;
  /** Lines that begin and end parts that the flag avoids as a whole. */
  readonly part?: { readonly begin: RegExp; readonly end: RegExp };
  /** The part of the lines that stays: the newest of a list. */
  readonly kept?: number;
  /** The replacement of the command, or the flag to add. */
  readonly flag: string;
}

const runsTests = /\b(?:test|tests|vitest|jest|mocha|check|verify|ci)\b/;
const folderOfOthers = /(?:^|[\s/\\])(?:node_modules|\.git|__pycache__|\.venv|site-packages)[/\\]/;

/**
 * Programs with avoidable output, and the flag that avoids it (from their manuals and `--help`, 2026-11). The first row
 * that fits a command decides.
 */
export const noisyPrograms: readonly NoisyProgram[] = [
  {
    id: 'vitest',
    what: 'passing',
    command: runsTests,
    output: /^\s*(?:RUN {2}v\d|Test Files {2})/m,
    line: /^\s*[✓✔√]\s/,
    flag: '--reporter=dot',
  },
  {
    id: 'jest',
    what: 'passing',
    command: runsTests,
    output: /^Tests:\s+.*\btotal$/m,
    line: /^\s+[✓✔√]\s/,
    flag: '--verbose=false',
  },
  {
    id: 'node --test',
    what: 'passing',
    command: /\b(?:test|tests|check|verify|ci|unit)\b/,
    output: /^(?:ℹ|#) pass \d+$/m,
    line: /^\s*(?:[✓✔√]\s|ok \d+ - |# Subtest: |duration_ms: |type: |---$|\.\.\.$)/,
    flag: '--test-reporter=dot',
  },
  {
    id: 'mocha',
    what: 'passing',
    command: runsTests,
    output: /^\s+\d+ passing \(/m,
    line: /^\s+[✓✔√]\s/,
    flag: '--reporter dot',
  },
  {
    id: 'playwright test',
    what: 'passing',
    command: /\bplaywright\s+test\b/,
    line: /^\s*(?:[✓✔√]|ok)\s+\d+ /,
    flag: '--reporter=dot',
  },
  {
    id: 'pytest',
    what: 'passing',
    command: /\b(?:pytest|py\.test)\b/,
    line: /^\S+::\S.* PASSED\b|^PASSED\b/,
    flag: '-q',
  },
  {
    id: 'unittest',
    what: 'passing',
    command: /\bpython[\d.]*\s+(?:-\S+\s+)*-m\s+unittest\b/,
    line: /^\w+ \([\w.]+\).* \.\.\. ok$/,
    flag: '-q',
  },
  {
    id: 'go test -v',
    what: 'passing',
    command: /\bgo\s+test\b/,
    line: /^\s*(?:=== (?:RUN|PAUSE|CONT|NAME)|--- PASS:)/,
    flag: 'go test',
  },
  {
    id: 'cargo',
    what: 'progress',
    command: /\bcargo\b/,
    line: /^(?:\s+(?:Compiling|Checking|Downloaded|Downloading|Fresh|Adding|Locking|Updating|Installed|Blocking)\s|test \S.* \.\.\. ok$)/,
    flag: '--quiet',
  },
  {
    id: 'npm install',
    what: 'progress',
    command: /\bnpm\s+(?:i|ci|install|add|update)\b/,
    line: /^npm (?:warn deprecated|http|verb|sill|timing|notice)\b|^\s*[⠁-⣿][\s\S]*$/i,
    flag: '--loglevel=error --no-progress',
  },
  {
    id: 'pnpm install',
    what: 'progress',
    command: /\bpnpm\s+(?:i|install|add|update)\b/,
    line: /^(?:Progress: resolved|\s*WARN\s+deprecated|Downloading )/,
    flag: '--reporter=silent',
  },
  {
    id: 'yarn install',
    what: 'progress',
    command: /\byarn(?:\s+(?:install|add|upgrade)\b|\s*(?:$|[;&|]))/,
    line: /^(?:\[\d\/\d\]|info |warning .* > |➤ YN0013)/,
    flag: '--silent',
  },
  {
    id: 'pip install',
    what: 'progress',
    command: /\b(?:pip[\d.]*|uv\s+pip)\s+(?:\S+\s+)*?install\b/,
    line: /^\s*(?:Collecting|Downloading|Using cached|Requirement already satisfied|Preparing metadata|Building wheel|Created wheel|Stored in directory|Installing build dependencies|Getting requirements|Obtaining|━|\S*━)/,
    flag: '-q',
  },
  {
    id: 'apt-get install',
    what: 'progress',
    command: /\bapt(?:-get)?\s+(?:\S+\s+)*?(?:install|update|upgrade)\b/,
    line: /^(?:Get:\d|Hit:\d|Ign:\d|Selecting previously|Preparing to unpack|Unpacking|Setting up|Processing triggers|\(Reading database)/,
    flag: '-qq',
  },
  {
    id: 'docker build',
    what: 'progress',
    command: /\bdocker(?:\s+compose|-compose|\s+buildx)?\s+(?:\S+\s+)*?(?:build|up)\b/,
    line: /^(?:#\d+ (?:sha256:|\d|DONE|CACHED|extracting|transferring|\[)|\s*--->|Step \d+\/\d+|Removing intermediate|[\da-f]{12}: )/,
    flag: '--quiet',
  },
  {
    id: 'docker pull',
    what: 'progress',
    command: /\bdocker(?:\s+compose|-compose)?\s+pull\b/,
    line: /^\s*[\da-f]{12}:? (?:Pull|Download|Extract|Wait|Verify|Already)/,
    flag: '--quiet',
  },
  {
    id: 'curl',
    what: 'progress',
    command: /\bcurl\b/,
    line: /^\s*(?:% Total|Dload|\d+\s+\S+\s+\d+\s+\S+\s+\d+\s+\S+\s+\S+\s+\S+\s+[\d:-]+\s)/,
    flag: '-sS',
  },
  {
    id: 'wget',
    what: 'progress',
    command: /\bwget\b/,
    line: /^\s*\d+K[ .]{20,}|^\S+\s+\d+%\[/,
    flag: '-nv',
  },
  {
    id: 'git clone',
    what: 'progress',
    command: /\bgit\s+(?:\S+\s+)*?(?:clone|fetch|pull|push)\b/,
    line: /^(?:remote: )?(?:Enumerating|Counting|Compressing|Receiving|Resolving|Writing|Updating) \w+:/,
    flag: '--quiet',
  },
  {
    id: 'git log',
    what: 'rest',
    command: /\bgit\s+(?:-\S+\s+)*log\b(?!.*(?:\s-\d|\s-n|--max-count|\.\.|\bhead\b|--since|--after))/,
    line: /^[\s\S]/,
    kept: 50,
    flag: '-n 50',
  },
  {
    id: 'git diff',
    what: 'rest',
    command: /\bgit\s+(?:-\S+\s+)*(?:diff|show)\b/,
    part: {
      begin:
        /^diff --git .*(?:package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|Cargo\.lock|poetry\.lock|uv\.lock|composer\.lock|Gemfile\.lock|go\.sum)$/,
      end: /^diff --git /,
    },
    flag: "-- . ':!*lock*' ':!*.sum'",
  },
  {
    id: 'ls -R',
    what: 'rest',
    command: /\bls\s+(?:\S+\s+)*?(?:-\w*R|--recursive)/,
    line: folderOfOthers,
    part: { begin: /^\S*(?:node_modules|\.git|__pycache__|\.venv)(?:\/.*)?:$/, end: /^\S.*:$/ },
    flag: 'git ls-files',
  },
  {
    id: 'find',
    what: 'rest',
    // A command that names such a folder looks into it on purpose.
    command:
      /\b(?:find|tree)\s(?!.*(?:-prune|-not|!|-I\b|node_modules|\.git\b|__pycache__|\.venv|site-packages))/,
    line: folderOfOthers,
    flag: "-not -path '*/node_modules/*' -not -path '*/.git/*'",
  },
  {
    id: 'tsc --watch',
    what: 'rest',
    command: /\btsc\b.*(?:\s-w\b|--watch)/,
    line: /(?:Starting (?:incremental )?compilation|File change detected|Watching for file changes)/,
    flag: 'tsc --noEmit',
  },
  {
    id: 'maven',
    what: 'progress',
    command: /\bmvnw?\b/,
    line: /^\[INFO\]|^(?:Downloading|Downloaded|Progress) (?:from|\()/,
    flag: '-q',
  },
  {
    id: 'gradle',
    what: 'progress',
    command: /\bgradlew?\b/,
    line: /^> Task \S+(?: (?:UP-TO-DATE|NO-SOURCE|FROM-CACHE|SKIPPED))?$/,
    flag: '--quiet',
  },
  {
    id: 'prettier',
    what: 'rest',
    command: /\bprettier\b/,
    line: /^\S+ \d+ms \(unchanged\)$/,
    flag: '--log-level warn',
  },
];

const byId: ReadonlyMap<string, NoisyProgram> = new Map(noisyPrograms.map(row => [row.id, row]));

export function noisyProgram(id: string): NoisyProgram | undefined {
  return byId.get(id);
}

/** Smaller outputs, in UTF-16 units, are not looked at. */
const leastOutput = 400;

/** The lines of an output that a flag would have left out, each with its line break. */
export interface NoisyLines {
  readonly id: string;
  readonly text: string;
}

/** The part of an output that a flag would have cut; undefined if nothing. Linear in the output. */
export function noisyLines(command: string, output: string): NoisyLines | undefined {
  if (output.length < leastOutput) {
    return undefined;
  }
  for (const row of noisyPrograms) {
    if (row.command.test(command) && row.output?.test(output) !== false) {
      const text = linesOf(row, output);
      if (text !== '') {
        return { id: row.id, text };
      }
    }
  }
  return undefined;
}

function linesOf({ line, part, kept = 0 }: NoisyProgram, output: string): string {
  const lines: string[] = [];
  let isInside = false;
  let start = 0;
  let matched = 0;
  while (start < output.length) {
    let end = start;
    while (end < output.length && output.charCodeAt(end) !== 0x0a && output.charCodeAt(end) !== 0x0d) {
      end += 1;
    }
    const text = output.slice(start, end);
    if (part !== undefined && (isInside ? part.end.test(text) : true)) {
      isInside = part.begin.test(text);
    }
    if (isInside || line?.test(text) === true) {
      matched += 1;
      if (matched > kept) {
        lines.push(output.slice(start, end + 1));
      }
    }
    start = end + 1;
  }
  return lines.join('');
}
