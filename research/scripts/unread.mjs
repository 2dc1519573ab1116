// Lists the members of records that no reader reads though they hold token counts or text: `npm run unread -w research -- FILE|FOLDER…`.
// Files of JSON and JSON lines are looked at; everything else is counted as such.
import '../../scripts/lib/currentNode.mjs';
import { filesBelow } from './lib/filesBelow.mjs';
import { loadBundle } from '../../scripts/lib/runBundle.mjs';

const files = process.argv.slice(2).flatMap(filesBelow);
if (files.length === 0) {
  console.error('Give files or folders: npm run unread -w research -- FILE|FOLDER…');
  process.exit(2);
}
const { listUnread } = await loadBundle('research/samples/unreadMembers.ts');
for (const line of listUnread(files)) {
  console.log(line);
}
