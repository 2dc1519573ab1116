import { isArray, member, objectAt } from '../../base/json';
import { below, eachAt } from '../../content/place';
import type { DocumentFormat, LineFormat } from '../../reading/format';
import { mostAre } from '../common/mostAre';
import { EventReader, isEvent } from './eventReader';

/** The events of a session of Claude Managed Agents, one per line, as the API streams and lists them. */
export const managedAgentsLines: LineFormat = {
  kind: 'lines',
  id: 'claude-managed-agents',
  name: 'Claude Managed Agents events',
  matches: records => mostAre(records, isEvent),
  open: builder => {
    const reader = new EventReader(builder);
    return {
      push: ({ value, range }) => reader.read(value, { record: range, path: [] }),
      end: () => reader.end(),
    };
  },
};

/** A page of the API's list of events, or a session with its agent and its events. */
export const managedAgents: DocumentFormat = {
  kind: 'document',
  id: 'claude-managed-agents-list',
  name: 'Claude Managed Agents session',
  matches: document => keyOf(document) !== undefined,
  read({ value, range }, locate, builder) {
    const root = { record: range, locate, path: [] };
    const reader = new EventReader(builder);
    const session = objectAt(value, 'session');
    reader.readSession(session ?? value, session === undefined ? root : below(root, 'session'));
    eachAt(value, root, keyOf(value) ?? '', (event, place) => reader.read(event, place));
    reader.end();
  },
};

function keyOf(document: unknown): string | undefined {
  return ['data', 'events'].find(key => {
    const list = member(document, key);
    return isArray(list) && list.length > 0 && mostAre(list.slice(0, 60), isEvent);
  });
}
