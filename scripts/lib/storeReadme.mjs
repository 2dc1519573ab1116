// The README for stores, if there is no address for its pictures.
import { readFileSync, writeFileSync } from 'node:fs';
import { extname, join } from 'node:path';

const types = { '.png': 'image/png', '.jpg': 'image/jpeg', '.webp': 'image/webp' };

/**
 * Writes the README of the project in `folder` to `target`, with each picture as a data address instead of its path,
 * and links to other files as plain text.
 */
export function writeStoreReadme(folder, target) {
  const text = readFileSync(join(folder, 'README.md'), 'utf8');
  const whole = text.replace(/(!\[[^\]]*\]\()([^):]+)(\))/g, (_, before, path, after) => {
    const type = types[extname(path)];
    if (type === undefined) {
      throw new Error(`README.md: ${path} is no picture that can be packed.`);
    }
    const content = readFileSync(join(folder, path)).toString('base64');
    return `${before}data:${type};base64,${content}${after}`;
  });
  writeFileSync(target, whole.replace(/(?<!!)\[([^\]]*)\]\((?!#|\w+:)[^)]*\)/g, '$1'));
}
