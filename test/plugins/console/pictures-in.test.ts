import { expect } from 'chai';
import { loadConsoleModules } from '../../support/console-modules.ts';
import { pngOf } from '../llm/pictures.ts';

interface Found {
  readonly path: readonly string[];
  readonly file?: { readonly type: string };
  readonly address?: string;
}

describe('the pictures of a payload in the console', () => {
  let picturesIn: (payload: unknown, schema?: unknown) => readonly Found[];
  before(async () => ({ picturesIn } = await loadConsoleModules('calls/pictures-in.ts')));

  const base64 = Buffer.concat([pngOf(3, 2), Buffer.alloc(60)]).toString('base64');
  const found = (payload: unknown, schema?: unknown) =>
    picturesIn(payload, schema).map(({ path, file, address }) => [path.join('/'), file?.type ?? address]);

  it('are told by their bytes, by a data URL and by a media type', () => {
    const payload = {
      bare: base64,
      url: `data:image/jpeg;base64,${base64}`,
      file: { content_type: 'image/webp', data_base64: base64 },
      words: 'iVBORw0KGgo',
      report: { content_type: 'application/pdf', data_base64: base64 },
      svg: 'data:image/svg+xml,<svg/>',
    };
    expect(found(payload)).to.deep.equal([
      ['bare', 'image/png'],
      ['url', 'image/jpeg'],
      ['file', 'image/webp'],
      ['svg', 'image/svg+xml'],
    ]);
  });

  it('are found within lists and groups, counted from 1', () => {
    expect(found({ all: [{ image: base64 }, { image: 'none' }, { image: base64 }] })).to.deep.equal([
      ['all/1/image', 'image/png'],
      ['all/3/image', 'image/png'],
    ]);
  });

  it('are what the schema says where the bytes do not tell', () => {
    const properties = {
      scan: { type: 'string', contentMediaType: 'image/bmp' },
      any: { type: 'string', contentMediaType: 'image/*' },
    };
    const payload = { scan: 'Qk1GAAAA', any: base64, other: 'Qk1GAAAA' };
    expect(found(payload, { properties })).to.deep.equal([
      ['scan', 'image/bmp'],
      ['any', 'image/png'],
    ]);
  });

  it('may lie at an address, as the schema or its ending says', () => {
    const schema = { properties: { photo: { contentMediaType: 'image/jpeg' } } };
    const payload = {
      photo: 'https://example.org/1',
      other: 'https://example.org/a.PNG?x=1',
      page: 'https://example.org/a.html',
      script: 'javascript:alert(1)//a.png',
    };
    expect(found(payload, schema)).to.deep.equal([
      ['photo', 'https://example.org/1'],
      ['other', 'https://example.org/a.PNG?x=1'],
    ]);
  });

  it('are twelve at most, and sought among some thousand values', () => {
    expect(found(Array.from({ length: 100 }, () => base64))).to.have.length(12);
    const large = [...Array.from({ length: 1_000_000 }, () => 0), base64];
    const begun = performance.now();
    expect(found({ large })).to.deep.equal([]);
    expect(performance.now() - begun).to.be.below(500);
  });

  it('are none in what a record does not keep', () => {
    expect([found(null), found(undefined), found('text')]).to.deep.equal([[], [], []]);
  });
});
