/** The files of the story's project, as they are at each moment of the session. */
export class Project {
  files = new Map();
  touched = new Set();

  constructor(root, files) {
    this.root = root;
    for (const [path, text] of Object.entries(files)) {
      this.files.set(path, text);
    }
  }

  absolute(path) {
    return `${this.root}/${path}`;
  }

  text(path) {
    const text = this.files.get(path);
    if (text === undefined) {
      throw new Error(`The story reads ${path}, which the project does not have`);
    }
    this.touched.add(path);
    return text;
  }

  /** Lines as the Read tool shows them, with their numbers. */
  numbered(path, offset = 1, limit = 2000) {
    return this.text(path)
      .split('\n')
      .slice(offset - 1, offset - 1 + limit)
      .map((line, index) => `${String(offset + index).padStart(6)}→${line}`)
      .join('\n');
  }

  grep(pattern, folder = '') {
    const expression = new RegExp(pattern);
    const hits = [];
    for (const [path, text] of [...this.files].sort(([left], [right]) => (left < right ? -1 : 1))) {
      if (path.startsWith(folder)) {
        text.split('\n').forEach((line, index) => {
          if (expression.test(line)) {
            hits.push(`${path}:${index + 1}:${line}`);
          }
        });
      }
    }
    return hits;
  }

  write(path, text) {
    this.files.set(path, text);
    this.touched.add(path);
  }

  /** Replaces text that must stand in the file; gives the changed lines as a patch. */
  edit(path, oldText, newText, everywhere = false) {
    const before = this.text(path);
    if (!before.includes(oldText)) {
      throw new Error(`The story edits text that ${path} does not have: ${oldText.slice(0, 60)}`);
    }
    const after = everywhere ? before.split(oldText).join(newText) : before.replace(oldText, () => newText);
    this.files.set(path, after);
    const line = before.slice(0, before.indexOf(oldText)).split('\n').length;
    return [
      {
        oldStart: line,
        oldLines: oldText.split('\n').length,
        newStart: line,
        newLines: newText.split('\n').length,
        lines: [
          ...oldText.split('\n').map(text => `-${text}`),
          ...newText.split('\n').map(text => `+${text}`),
        ],
      },
    ];
  }
}
