// Measures over files with recorded usage how steady what is not recorded is, and how far predicted growth is off: `npm run totals -w research -- FOLDER… [--write]`. With --write the rates of the families are stored.
import '../../scripts/lib/currentNode.mjs';
import { filesBelow } from './lib/filesBelow.mjs';
import { writeTable } from './lib/writeTable.mjs';
import { loadBundle } from '../../scripts/lib/runBundle.mjs';

const folders = process.argv.slice(2).filter(argument => !argument.startsWith('--'));
if (folders.length === 0) {
  console.error('Give folders with sessions: npm run totals -w research -- FOLDER… [--write]');
  process.exit(2);
}
await main(await loadBundle('research/samples/measureTotals.ts'));

async function main({ countSession, fileFigures, familyFigures, quantile }) {
  const sessions = [];
  for (const file of folders.flatMap(filesBelow)) {
    const counted = await countSession(file).catch(error => console.error(`${file}: ${error.message}`));
    if (counted !== undefined) {
      sessions.push(counted);
    }
  }
  const percent = share => `${(100 * share).toFixed(1)} %`;
  const figures = sessions
    .map(({ file, session }) => fileFigures(file, session.toSession().columns))
    .filter(({ requests }) => requests > 1);
  for (const { file, requests, drift, jumps, vanished, inexact, senseless } of figures) {
    const notes = [
      ...(jumps > 0 ? [`${jumps} named`] : []),
      ...(vanished > 0 ? [`${vanished} vanished`] : []),
      ...(inexact > 0 ? [`${inexact} inexact`] : []),
      ...(senseless > 0 ? [`${senseless} with an error above 100 %`] : []),
    ];
    console.log(
      `${percent(drift).padStart(7)}  ${String(requests).padStart(4)} requests  ${file}  ${notes.join(', ')}`,
    );
  }
  const drifts = figures.map(({ drift }) => drift).sort((first, second) => first - second);
  const sum = name => figures.reduce((total, figure) => total + figure[name], 0);
  console.log(
    `${figures.length} files: drift median ${percent(quantile(drifts, 0.5))}, most ${percent(drifts.at(-1) ?? 0)}, above 5 % in ${drifts.filter(drift => drift > 0.05).length}; named ${sum('jumps')}, vanished ${sum('vanished')}, inexact ${sum('inexact')} of ${sum('requests')} requests`,
  );
  const families = familyFigures(sessions);
  for (const growth of families) {
    console.log(
      `${growth.family}: ${growth.steps} steps of ${growth.sessions} sessions left out in turn: error median ${percent(growth.median)}, 90th percentile ${percent(growth.ninetieth)}, within the stated error ${percent(growth.covered)}; rates ${growth.rates.join(' ')}, errors ${percent(growth.errors.afterOutput)} after a recorded output, ${percent(growth.errors.withReply)} with the reply`,
    );
  }
  if (process.argv.includes('--write')) {
    writeTable('growthRates', families);
  }
}
