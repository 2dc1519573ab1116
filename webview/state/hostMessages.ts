/**
 * Hands on what the host sends to the page. Other scripts of the page's window post messages as well: these are of none of
 * the host's types.
 */
export function onHostMessage<Message extends { readonly type: string }>(
  types: Readonly<Record<Message['type'], true>>,
  receive: (message: Message) => void,
): void {
  const isFromHost = (data: unknown): data is Message =>
    typeof data === 'object' &&
    data !== null &&
    'type' in data &&
    typeof data.type === 'string' &&
    Object.hasOwn(types, data.type);
  window.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    if (isFromHost(data)) {
      receive(data);
    }
  });
}
