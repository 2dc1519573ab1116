import { at } from '../../src/core/base/numbers';
import type { SessionColumns } from '../../src/core/model/columns';
import type { LinkedPlace, ShownPlace } from '../../src/protocol/shownPlace';
import { placeWords as words } from '../words/place';
import { positionOf, requestInView, requestsByThread, requestView } from './derived';
import { notRecordedBlock, type ViewState } from './viewState';

type FoundPlace =
  | { readonly ok: true; readonly change: Partial<ViewState> }
  /** A sentence about the part of the place that the transcript does not have. */
  | { readonly ok: false; readonly sentence: string };

const missing = (sentence: string): FoundPlace => ({ ok: false, sentence });

/** The change of the view that shows a place of the session. */
export function viewOfPlace(columns: SessionColumns, place: ShownPlace): FoundPlace {
  const { conversation = 0, block, blockNumber, panel } = place;
  const requests = requestsByThread(columns).get(conversation);
  if (requests === undefined) {
    return missing(words.noConversation(conversation));
  }
  const request = requests[place.request ?? requests.length - 1];
  if (request === undefined) {
    return missing(words.noRequest(place.request ?? 0, requests.length));
  }
  const view = requestView(columns, request);
  if (block !== undefined && block >= view.blocks.length) {
    return missing(words.noBlock(block, view.blocks.length));
  }
  if (blockNumber !== undefined) {
    return viewOfBlock(columns, request, blockNumber);
  }
  return {
    ok: true,
    change: {
      thread: conversation,
      // The newest request is followed while the file grows, except if a link led to it.
      request: place.request === undefined ? undefined : request,
      ...(block === undefined ? {} : { block: at(view.blocks, block), panel: 'block' as const }),
      ...(panel === undefined ? {} : { panel }),
    },
  };
}

/** A block in a request. For a block of the reply, the next request that carries it; none if it was never sent. */
function viewOfBlock(columns: SessionColumns, request: number, block: number): FoundPlace {
  const { blocks, requests } = columns;
  if (block >= blocks.role.length) {
    return missing(words.noBlock(block, blocks.role.length));
  }
  const first = at(blocks.firstRequest, block);
  const isCarried = first < 0 || requestView(columns, request).blocks.includes(block);
  const shown = isCarried ? request : first;
  return {
    ok: true,
    change: { thread: at(requests.thread, shown), request: shown, block, panel: 'block' },
  };
}

/** The visible place in the form of links; undefined if no request is shown. */
export function placeInView(columns: SessionColumns, view: ViewState): LinkedPlace | undefined {
  const request = requestInView(columns, view);
  if (request === undefined) {
    return undefined;
  }
  const thread = at(columns.requests.thread, request);
  const index = requestsByThread(columns).get(thread)?.indexOf(request) ?? 0;
  const position =
    view.block === undefined || view.block === notRecordedBlock
      ? undefined
      : positionOf(columns, requestView(columns, request), view.block);
  return {
    conversation: thread,
    request: index,
    ...(position === undefined ? {} : { block: position }),
  };
}
