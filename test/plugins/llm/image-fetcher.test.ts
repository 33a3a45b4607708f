import { expect } from 'chai';
import { createEgress } from '../../../core/egress/create-egress.ts';
import { OutboundError, Problem, type Egress } from '../../../core/index.ts';
import { ImageFetcher } from '../../../plugins/llm/images/image-fetcher.ts';
import { pngOf } from './pictures.ts';

const MAX_BYTES = 5_678;
const URL = 'https://images.example/x.png';

describe('the fetcher of images', () => {
  const seen: { checked: unknown[]; requested: Parameters<Egress['request']>[0][] } = {
    checked: [],
    requested: [],
  };

  beforeEach(() => {
    seen.checked = [];
    seen.requested = [];
  });

  function fetcherThat(answers: () => Promise<{ status: number; body: Buffer }>): ImageFetcher {
    const egress: Egress = {
      check: (...args) => void seen.checked.push(args),
      request: async (request) => {
        seen.requested.push(request);
        return { headers: {}, ...(await answers()) };
      },
      connect: () => Promise.reject(new Error('No picture needs it.')),
    };
    return new ImageFetcher(egress, MAX_BYTES);
  }

  const png = () => Promise.resolve({ status: 200, body: pngOf(3, 2) });
  const failing = (error: Error) => () => Promise.reject(error);
  const { signal } = new AbortController();

  async function codeOf(answers: () => Promise<never>): Promise<string> {
    const error = await fetcherThat(answers)
      .fetch(URL, signal)
      .then(
        () => undefined,
        (reason: unknown) => reason,
      );
    return error instanceof Problem ? error.code : (error as Error).name;
  }

  it('checks an address as content, which may not come from private addresses', () => {
    fetcherThat(png).check(URL);
    expect(seen.checked).to.deep.equal([[URL, 'content']]);
  });

  it('asks for it as content', async () => {
    await fetcherThat(png).fetch(URL, signal);
    expect(seen.requested[0]).to.include({ url: URL, purpose: 'content' });
  });

  it('keeps to its limits of time and bytes', async () => {
    await fetcherThat(png).fetch(URL, signal);
    expect(seen.requested[0]).to.include({ timeoutMs: 10_000, maxBytes: MAX_BYTES });
  });

  it('says the same of a name that leads inside as of one that leads nowhere', async () => {
    const names: Readonly<Record<string, string>> = { 'inside.example': '10.1.2.3', 'gone.example': '' };
    const egress = createEgress(
      { policy: 'private', allow: [] },
      {
        lookup: (name, _options, done) => {
          const address = names[name];
          if (address) done(null, [{ address, family: 4 }]);
          else done(new Error('ENOTFOUND'), []);
        },
      },
    );
    const said = Object.keys(names).map((name) =>
      new ImageFetcher(egress, MAX_BYTES).fetch(`http://${name}/x.png`, signal).then(
        () => 'fetched',
        (problem: Problem) => `${problem.code}: ${problem.message}`,
      ),
    );
    const [inside, nowhere] = await Promise.all(said);
    await egress.close();
    expect(inside).to.equal(nowhere);
    expect(inside).to.match(/^image_unusable: .*EGRESS_ALLOW/);
  });

  for (const failure of ['egress_denied', 'unreachable', 'timeout', 'bad_response'] as const) {
    it(`says image_unusable when the exchange ends as ${failure}`, async () => {
      expect(await codeOf(failing(new OutboundError(failure, 'No.')))).to.equal('image_unusable');
    });
  }

  it('leaves it to others to say what it means that the request was given up', async () => {
    expect(await codeOf(failing(new OutboundError('aborted', 'No.')))).to.equal('OutboundError');
  });

  it('does not hide a fault of the code', async () => {
    expect(await codeOf(failing(new TypeError('x is not a function')))).to.equal('TypeError');
  });
});
