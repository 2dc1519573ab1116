export const pictureSize = { width: 168, height: 72 };

/**
 * A week view of a ledger as a PNG of four colours: seven columns of postings, one of them on the wrong day. Its data
 * is stored and not compressed, since compressors differ between versions of Node.
 */
export function weekViewPng() {
  const { width, height } = pictureSize;
  const palette = [0x1f, 0x24, 0x30, 0x2b, 0x33, 0x44, 0x5f, 0xa8, 0xd3, 0xe0, 0x6c, 0x5b];
  const rows = Buffer.alloc(height * (1 + width / 4));
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const at = y * (1 + width / 4) + 1 + Math.floor(x / 4);
      rows[at] |= colourAt(x, y) << (6 - 2 * (x % 4));
    }
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([2, 3, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('PLTE', Buffer.from(palette)),
    chunk('IDAT', stored(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function colourAt(x, y) {
  const day = Math.floor(x / 24);
  const slot = Math.floor(y / 12);
  if (x % 24 < 3 || y % 12 < 3) {
    return 0;
  }
  if (day === 5 && slot === 2) {
    return 3;
  }
  return slot < (day * 5 + 2) % 6 ? 2 : 1;
}

/** A zlib stream of one stored block. */
function stored(data) {
  const head = Buffer.from([0x78, 0x01, 0x01, 0, 0, 0, 0]);
  head.writeUInt16LE(data.length, 3);
  head.writeUInt16LE(~data.length & 0xffff, 5);
  let low = 1;
  let high = 0;
  for (const byte of data) {
    low = (low + byte) % 65521;
    high = (high + low) % 65521;
  }
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32BE(((high << 16) | low) >>> 0);
  return Buffer.concat([head, data, checksum]);
}

function chunk(type, data) {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const framed = Buffer.alloc(body.length + 8);
  framed.writeUInt32BE(data.length, 0);
  body.copy(framed, 4);
  framed.writeUInt32BE(crc32(body), body.length + 4);
  return framed;
}

function crc32(bytes) {
  let crc = ~0;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) {
      crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
    }
  }
  return ~crc >>> 0;
}
