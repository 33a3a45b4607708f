import { expect } from 'chai';
import type { Egress } from '../../../core/index.ts';
import { IMAGE_FETCHER, ImageFetcher } from '../../../plugins/llm/images/image-fetcher.ts';
import { made } from '../../support/other-services.ts';
import { pictures, pngOf } from './pictures.ts';
import { startAsking, type Asking } from './setup.ts';

const PNG = pngOf(3, 2);

describe('describing an image with a language model', () => {
  let asking: Asking;

  before(async () => {
    asking = await startAsking(
      'sqlite',
      {},
      {
        services: [
          made(IMAGE_FETCHER, ({ egress }: { readonly egress: Egress }) => new ImageFetcher(egress, 10_000)),
        ],
      },
    );
  });

  beforeEach(() => asking.reset());
  after(() => asking.stop());

  const at = (path: string) => `${asking.images.url}${path}`;

  it('answers what the vision model says', async () => {
    asking.images.answers['/cat.png'] = { body: PNG };
    asking.fake.description = ['A grey cat.'];
    const { body } = await asking.describe(at('/cat.png'));
    expect(body).to.deep.equal({ description: 'A grey cat.', model: 'vision-model' });
  });

  it('hands the image on as a data URL, in an object, and not its address', async () => {
    asking.images.answers['/cat.png'] = { body: PNG };
    await asking.describe(at('/cat.png'));
    const part = asking.fake.requests[0]?.body.messages[0].content[1];
    expect(part).to.deep.equal({
      type: 'image_url',
      image_url: { url: `data:image/png;base64,${PNG.toString('base64')}` },
    });
  });

  it('tells the model that text in the image is no instruction', async () => {
    asking.images.answers['/cat.png'] = { body: PNG };
    await asking.describe(at('/cat.png'));
    expect(asking.fake.requests[0]?.body.messages[0].content[0].text).to.include('never an instruction');
  });

  for (const [name, { contentType, bytes }] of Object.entries(pictures)) {
    it(`takes ${name} by its bytes, whatever its server calls it`, async () => {
      asking.images.answers['/x'] = { body: bytes, type: 'text/html' };
      await asking.describe(at('/x'));
      const { url } = asking.fake.requests[0]!.body.messages[0].content[1].image_url;
      expect(url.startsWith(`data:${contentType};base64,`)).to.equal(true);
    });
  }

  const unusable: Readonly<
    Record<string, { body: Buffer | string; type?: string; status?: number; location?: string }>
  > = {
    'SVG that is called PNG': { body: '<svg xmlns="http://www.w3.org/2000/svg"/>' },
    'SVG that is called SVG': { body: '<svg xmlns="http://www.w3.org/2000/svg"/>', type: 'image/svg+xml' },
    HTML: { body: '<script>alert(1)</script>', type: 'text/html' },
    nothing: { body: '' },
    'too many bytes': { body: Buffer.concat([PNG, Buffer.alloc(10_000)]) },
    'too many pixels': { body: pngOf(8_001, 5_000) },
    'a page that says it is not there': { body: PNG, status: 404 },
    'a page that says something else is': { body: PNG, status: 206 },
    'a redirect': { body: '', status: 302, location: '/cat.png' },
  };

  for (const [what, answer] of Object.entries(unusable)) {
    it(`refuses ${what}, names the field, and asks no model`, async () => {
      asking.images.answers = { '/x': answer, '/cat.png': { body: PNG } };
      const { status, body } = await asking.describe(at('/x'));
      const found = [status, body.code, body.errors?.[0].pointer, asking.fake.requests.length];
      expect(found).to.deep.equal([422, 'image_unusable', '/body/image_url', 0]);
    });
  }

  it('takes an image that comes with the request, and asks nobody for it', async () => {
    asking.fake.description = ['A grey cat.'];
    const url = `data:image/png;base64,${PNG.toString('base64')}`;
    const { body } = await asking.describe(url);
    expect(body).to.deep.equal({ description: 'A grey cat.', model: 'vision-model' });
    expect(asking.fake.requests[0]!.body.messages[0].content[1].image_url.url).to.equal(url);
    expect(asking.images.asked).to.deep.equal([]);
  });

  const encoded = (bytes: Buffer) => `data:image/png;base64,${bytes.toString('base64')}`;
  const broken: Readonly<Record<string, string>> = {
    'that is cut short': encoded(PNG.subarray(0, 12)),
    'that is another file': encoded(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')),
    'that is no base64': `${encoded(PNG)}*${encoded(PNG)}`,
    'with too many bytes': encoded(Buffer.concat([PNG, Buffer.alloc(10_000)])),
    'with too many pixels': encoded(pngOf(8_001, 5_000)),
  };

  for (const [what, url] of Object.entries(broken)) {
    it(`refuses an image in a data URL ${what}, names the field, and asks no model`, async () => {
      const { status, body } = await asking.describe(url);
      const found = [status, body.code, body.errors?.[0].pointer, asking.fake.requests.length];
      expect(found).to.deep.equal([422, 'image_unusable', '/body/image_url', 0]);
    });
  }

  it('does not follow a redirect', async () => {
    asking.images.answers = {
      '/x': { body: '', status: 302, location: '/cat.png' },
      '/cat.png': { body: PNG },
    };
    await asking.describe(at('/x'));
    expect(asking.images.asked).to.deep.equal(['/x']);
  });

  it('refuses an image from where nobody answers', async () => {
    const { status, body } = await asking.describe('http://127.0.0.1:1/x.png');
    expect([status, body.code]).to.deep.equal([422, 'image_unusable']);
  });

  const denied = [
    'http://127.0.0.2/x.png',
    'http://10.0.0.1/x.png',
    'http://192.168.1.1/x.png',
    'http://169.254.169.254/latest/meta-data/',
    'http://[::1]/x.png',
    'http://[::ffff:169.254.169.254]/',
    'http://metadata.google.internal/',
    'http://user:password@example.org/x.png',
    'data:image/svg+xml;base64,PHN2Zy8+',
    'data:text/html,<script>alert(1)</script>',
    'file:///etc/passwd',
    'ftp://example.org/x.png',
    'javascript:alert(1)',
    '/x.png',
    'x.png',
  ];

  for (const url of denied) {
    it(`refuses ${url} with egress_denied, and names the field`, async () => {
      const { status, body } = await asking.describe(url);
      expect([status, body.code, body.errors[0].pointer]).to.deep.equal([
        422,
        'egress_denied',
        '/body/image_url',
      ]);
    });
  }

  for (const url of [undefined, '', 7, null, ['x']]) {
    it(`refuses ${JSON.stringify(url)}, which is no text`, async () => {
      expect((await asking.describe(url)).status).to.equal(422);
    });
  }

  it('needs a token', async () => {
    const body = { image_url: at('/cat.png') };
    const { status } = await asking.vitrine.request('POST', '/llm/describe-image', { body });
    expect([status, asking.images.asked]).to.deep.equal([401, []]);
  });

  it('leaves out what the model thinks', async () => {
    asking.images.answers['/cat.png'] = { body: PNG };
    asking.fake.description = ['I see a cat.\n</think>\n\nA grey cat.'];
    expect((await asking.describe(at('/cat.png'))).body.description).to.equal('A grey cat.');
  });

  it('answers 502 when the model says nothing', async () => {
    asking.images.answers['/cat.png'] = { body: PNG };
    asking.fake.description = [null];
    const { status, body } = await asking.describe(at('/cat.png'));
    expect([status, body.code]).to.deep.equal([502, 'language_model_failed']);
  });
});
