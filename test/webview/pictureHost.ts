/** A client of MCP in the test page, which shows a page of a server by the library of the protocol. */
import {
  AppBridge,
  type McpUiHostContext,
  PostMessageTransport,
} from '@modelcontextprotocol/ext-apps/app-bridge';

export interface PictureHost {
  /** Opens the page in a frame without rights, and sends it a result once it is ready. */
  readonly open: (html: string, context: McpUiHostContext, result: object) => Promise<void>;
  readonly change: (context: Readonly<Record<string, unknown>>) => void;
  /** The height that the page wants, in CSS pixels. */
  readonly height: () => number | undefined;
}

declare global {
  interface Window {
    pictureHost: PictureHost;
  }
}

let bridge: AppBridge | undefined;
let wanted: number | undefined;

window.pictureHost = {
  async open(html, context, result) {
    const frame = document.createElement('iframe');
    frame.setAttribute('sandbox', 'allow-scripts');
    frame.style.cssText = 'width: 620px; height: 520px; border: 0';
    frame.title = 'Picture';
    document.body.replaceChildren(frame);
    const view = frame.contentWindow;
    if (view === null) {
      throw new Error('The frame has no window.');
    }
    const opened = new AppBridge(null, { name: 'test', version: '1.0.0' }, {}, { hostContext: context });
    bridge = opened;
    opened.addEventListener('sizechange', ({ height }) => {
      wanted = height;
    });
    const ready = new Promise<void>(resolve => {
      opened.addEventListener('initialized', () => resolve());
    });
    await opened.connect(new PostMessageTransport(view, view));
    frame.srcdoc = html;
    await ready;
    await opened.sendToolResult({ content: [], ...result });
  },
  change(context) {
    bridge?.setHostContext(context);
  },
  height: () => wanted,
};
