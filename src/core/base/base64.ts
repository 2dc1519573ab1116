const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** Base64 with padding; the core has neither Node's Buffer nor the browser's btoa. */
export function base64(bytes: Uint8Array): string {
  let text = '';
  for (let index = 0; index < bytes.length; index += 3) {
    const [first = 0, second, third] = bytes.subarray(index, index + 3);
    text += digits[first >> 2] ?? '';
    text += digits[((first & 3) << 4) | ((second ?? 0) >> 4)] ?? '';
    text += second === undefined ? '=' : (digits[((second & 15) << 2) | ((third ?? 0) >> 6)] ?? '');
    text += third === undefined ? '=' : (digits[third & 63] ?? '');
  }
  return text;
}
