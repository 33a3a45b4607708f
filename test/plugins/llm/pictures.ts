import { crc32, deflateSync } from 'node:zlib';

function chunk(name: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name), data]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(data.length, 0);
  frame.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
}

/** A grey PNG whose header claims this size; its pixels are there only for small ones. */
export function pngOf(width: number, height: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 0, 0, 0, 0], 8);
  const pixels = width * height < 10_000 ? Buffer.alloc((width + 1) * height) : Buffer.alloc(1);
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(pixels)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

const base64 = (text: string): Buffer => Buffer.from(text, 'base64');

/** 3 × 2 pixels in every form that is taken, as libvips writes them (the last two cut short after their headers). */
export const pictures: Readonly<Record<string, { readonly contentType: string; readonly bytes: Buffer }>> = {
  PNG: { contentType: 'image/png', bytes: pngOf(3, 2) },
  GIF: {
    contentType: 'image/gif',
    bytes: base64('R0lGODlhAwACAIIAAExpcQD/AP//AP8AAAD//wAA//8A/wAAACH5BAUAAAAALAAAAAADAAIAAAMEOFFClgA7'),
  },
  'lossy WebP': {
    contentType: 'image/webp',
    bytes: base64(
      'UklGRlgAAABXRUJQVlA4IEwAAAAwAgCdASoDAAIAAsBMJagCdEcAZIACzZmmYADOP1Jb270V4oTBzHdVObf/+Tb/0YFP/qb//84D/s7/0YFP/qb/vX8lDVjsH781pMAA',
    ),
  },
  'lossless WebP': {
    contentType: 'image/webp',
    bytes: base64('UklGRjQAAABXRUJQVlA4TCgAAAAvAkAAAC8gEEjaH3qN+RcQFPk/2vwHH0QCg0K2EeDQvQSncBH9j2MF'),
  },
  JPEG: {
    contentType: 'image/jpeg',
    bytes: base64(
      '/9j/2wBDABALDA4MChAODQ4SERATGCgaGBYWGDEjJR0oOjM9PDkzODdASFxOQERXRTc4UG1RV19iZ2hnPk1xeXBkeFxlZ2P/' +
        '2wBDARESEhgVGC8aGi9jQjhCY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2P/wAAR' +
        'CAACAAMDASIAAhEBAxEB/8QAFQABAQAAAAAAAAAAAAAAAAAAAAP/xAAbEAEAAgIDAAAAAAAAAAAAAAABAAMFIQQRIv/EABUB' +
        'AQEAAAAAAAAAAAAAAAAAAAUG/8QAHREAAQIHAAAAAAAAAAAAAAAAAAEDAgQzNHFysf/aAAwDAQACEQMRAD8Anl+NQZO8KK+h' +
        'A8GtEREqJO2b1Tgg1Thwh//Z',
    ),
  },
  'extended WebP': {
    contentType: 'image/webp',
    bytes: base64('UklGRhQDAABXRUJQVlA4WAoAAAAoAAAAAgAAAQAASUNDUOABAAAAAAHgbGNtcwQgAABtbnRyUkdCIFhZWiAH'),
  },
  'progressive JPEG': {
    contentType: 'image/jpeg',
    bytes: base64(
      '/9j/2wBDABALDA4MChAODQ4SERATGCgaGBYWGDEjJR0oOjM9PDkzODdASFxOQERXRTc4UG1RV19iZ2hnPk1xeXBkeFxlZ2P/' +
        '2wBDARESEhgVGC8aGi9jQjhCY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2P/wgAR' +
        'CAACAAMDASIAAhEBAxEB/8QAFQABAQAAAAAAAAAAAAAAAAAAAAL/xAAVAQEBAAAAAAAAAAAAAAAAAAAEBf/aAAwDAQACEAMQ' +
        'AAABkVEf/8QAFxAAAwEAAAAAAAAAAAAAAAAAAQIDE//aAAgBAQABBQKqjT//2Q==',
    ),
  },
};
