import { compareAddress } from '../../../src/protocol/doorAddresses';
import { addToolTurns, ClaudeCodeSession } from '../../fixtures/claudeCodeSession';
import { openAddress } from '../door';
import { changes, choose, does, type Place, row } from './rows';
import { projectFolder, writeAtHome, writeSession } from './sessionPlaces';

/** The page with two sessions side by side. */
export const comparePlaces: readonly Place[] = [
  {
    name: 'Comparison',
    open: async options => {
      // More files than a list shows at once.
      const session = addToolTurns(new ClaudeCodeSession(), 'Water the plants', 25, 200);
      const first = await writeAtHome(`${projectFolder('garden')}/many.jsonl`, session.toString());
      return openAddress(compareAddress(first, await writeSession('cellar', 'Fold the maps')), options);
    },
    stays: true,
    reach: page => page.getByRole('heading', { name: 'Facts' }).waitFor(),
    rows: [
      row('combobox', /^Compare in [AB]$/, changes('role=table[name="Facts"]'), choose('0')),
      row('button', /^Parts of /, changes('#part')),
      row('button', /^Show more/, changes('role=table[name="Files read"]')),
      row('button', /, open .* in [AB]$/, does('show')),
      row('button', /^(Water the plants|Fold the maps)$/, does('show')),
    ],
  },
];
