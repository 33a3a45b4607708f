import { expect } from 'chai';
import { onEveryEngine } from '../../../core/testing.ts';
import { CATALOGUE } from '../../../plugins/catalogue/contract.ts';
import { pngOf } from './pictures.ts';
import { startAsking, type Asking } from './setup.ts';

const PNG = pngOf(3, 2);
const point = {
  type: 'object',
  properties: { x: { type: 'number' }, y: { type: 'number' } },
  required: ['x', 'y'],
  additionalProperties: false,
};

onEveryEngine((engine) => {
  describe('generating data with a language model', () => {
    let asking: Asking;

    before(async () => {
      asking = await startAsking(engine);
    });

    beforeEach(() => asking.reset());
    after(() => asking.stop());

    describe('without a data type', () => {
      it('answers text as text', async () => {
        asking.fake.description = ['Roses are red.'];
        const { body } = await asking.generate({ prompt: 'a poem' });
        expect(body).to.deep.equal({ data: 'Roses are red.', type: 'text', model: 'text-model' });
      });

      it('answers a JSON object as an object', async () => {
        asking.fake.description = ['{"name":"Ada"}'];
        const { body } = await asking.generate({ prompt: 'a person' });
        expect(body).to.deep.equal({ data: { name: 'Ada' }, type: 'json', model: 'text-model' });
      });

      it('answers a JSON list as an object that holds it', async () => {
        asking.fake.description = ['[1,2]'];
        expect((await asking.generate({ prompt: 'numbers' })).body.data).to.deep.equal({ result: [1, 2] });
      });

      it('takes a JSON object out of its code fence', async () => {
        asking.fake.description = ['{"name":"Ada"}'];
        asking.fake.dialect = { fences: true };
        expect((await asking.generate({ prompt: 'a person' })).body.data).to.deep.equal({ name: 'Ada' });
      });

      it('leaves out what a model thinks aloud', async () => {
        asking.fake.description = ['Roses are red.'];
        asking.fake.dialect = { thinksAloud: true };
        expect((await asking.generate({ prompt: 'a poem' })).body.data).to.equal('Roses are red.');
      });

      it('answers 502 when there is nothing but thoughts, and asks once', async () => {
        asking.fake.description = ['<think>They want'];
        const { status, body } = await asking.generate({ prompt: 'a poem' });
        expect([status, body.code, asking.fake.requests.length]).to.deep.equal([
          502,
          'language_model_failed',
          1,
        ]);
        expect(body.detail).to.include('llm.max_tokens').and.not.include('They want');
      });

      it('puts the parts of an answer together', async () => {
        asking.fake.dialect = { answersInParts: true };
        expect((await asking.generate({ prompt: 'a poem' })).body.data).to.equal('hello');
      });

      it('leaves out the parts that are thoughts', async () => {
        const content = [
          { type: 'thinking', thinking: [{ type: 'text', text: 'Hm.' }] },
          { type: 'reasoning', text: 'Hm.' },
          { type: 'text', text: 'Roses are red.' },
        ];
        asking.fake.dialect = { instead: { status: 200, body: { choices: [{ message: { content } }] } } };
        expect((await asking.generate({ prompt: 'a poem' })).body.data).to.equal('Roses are red.');
      });

      it('leaves out thoughts that come in a field of their own', async () => {
        const message = { reasoning_content: 'They want a poem.', content: 'Roses are red.' };
        asking.fake.dialect = { instead: { status: 200, body: { choices: [{ message }] } } };
        expect((await asking.generate({ prompt: 'a poem' })).body.data).to.equal('Roses are red.');
      });

      it('puts an answer together that is streamed unasked', async () => {
        asking.fake.description = ['{"name":"Ada"}'];
        asking.fake.dialect = { streams: true };
        expect((await asking.generate({ prompt: 'a person' })).body.data).to.deep.equal({ name: 'Ada' });
      });

      for (const [what, said] of [
        ['is deeper than a call may be', '['.repeat(63) + ']'.repeat(63)],
        ['has a key that no call may have', '{"__proto__":{"a":1}}'],
        ['has text that no call may have', '{"a":"\\u0000"}'],
      ] as const) {
        it(`answers JSON that ${what} as text`, async () => {
          asking.fake.description = [said];
          expect((await asking.generate({ prompt: 'hostile' })).body.data).to.equal(said);
        });
      }

      it('answers JSON that is as deep as a call may be as data', async () => {
        asking.fake.description = ['['.repeat(62) + ']'.repeat(62)];
        expect((await asking.generate({ prompt: 'deep' })).body.type).to.equal('json');
      });

      it('sends the prompt as what the user says', async () => {
        await asking.generate({ prompt: 'three cats' });
        expect(asking.fake.requests[0]?.body.messages.at(-1)).to.deep.equal({
          role: 'user',
          content: 'three cats',
        });
      });

      it('lets the model choose the form', async () => {
        await asking.generate({ prompt: 'three cats' });
        expect(asking.fake.requests[0]?.body).to.not.have.property('response_format');
      });

      it('bounds the answer', async () => {
        await asking.generate({ prompt: 'three cats' });
        expect(asking.fake.requests[0]?.body.max_tokens).to.equal(4096);
      });

      it('never hands on the credentials of the caller', async () => {
        await asking.generate({ prompt: 'three cats' });
        expect(JSON.stringify(asking.fake.requests[0])).to.not.include(asking.user.token);
      });
    });

    describe('with a data type', () => {
      it('answers `text` as text, even when it is JSON', async () => {
        asking.fake.description = ['{"name":"Ada"}'];
        const { body } = await asking.generate({ prompt: 'a person', data_type: 'text' });
        expect(body).to.include({ data: '{"name":"Ada"}', type: 'text' });
      });

      it('asks for `json` as JSON', async () => {
        asking.fake.description = ['{"name":"Ada"}'];
        await asking.generate({ prompt: 'a person', data_type: 'json' });
        expect(asking.fake.requests[0]?.body.response_format).to.deep.equal({ type: 'json_object' });
      });

      it('asks again when `json` comes back as words', async () => {
        asking.fake.description = ['Sorry?', '{"name":"Ada"}'];
        const { body } = await asking.generate({ prompt: 'a person', data_type: 'json' });
        expect([body.data, asking.fake.requests.length]).to.deep.equal([{ name: 'Ada' }, 2]);
      });

      it('asks once when a thought without its opening tag comes before `json`', async () => {
        asking.fake.description = ['They want {"age": 1} or so.</think>{"age":41}'];
        const { body } = await asking.generate({ prompt: 'a person', data_type: 'json' });
        expect([body.data, asking.fake.requests.length]).to.deep.equal([{ age: 41 }, 1]);
      });

      it('repeats no thoughts when it asks again', async () => {
        asking.fake.description = ['<think>Hm.</think>Sorry?', '{"name":"Ada"}'];
        await asking.generate({ prompt: 'a person', data_type: 'json' });
        expect(asking.fake.requests[1]?.body.messages.at(-2).content).to.equal('Sorry?');
      });

      it('finds the object among words', async () => {
        asking.fake.description = ['Certainly! {"name":"Ada"} Anything else?'];
        expect((await asking.generate({ prompt: 'a person', data_type: 'json' })).body.data).to.deep.equal({
          name: 'Ada',
        });
      });

      it('tells the model any other word, and gives it back as the type', async () => {
        const { body } = await asking.generate({ prompt: 'a series', data_type: 'time_series' });
        expect([body.type, asking.fake.requests[0]?.body.messages[0].content]).to.satisfy(
          ([type, told]: string[]) => type === 'time_series' && told!.includes('time_series'),
        );
      });

      it('asks the image model for an `image` and answers its type and bytes', async () => {
        asking.fake.draws = PNG;
        const { body } = await asking.generate({ prompt: 'a cat', data_type: 'image' });
        const data = { content_type: 'image/png', data_base64: PNG.toString('base64') };
        expect(body).to.deep.equal({ data, type: 'image', model: 'image-model' });
      });

      it('fetches an image that is given by address', async () => {
        asking.images.answers['/drawn.png'] = { body: PNG };
        asking.fake.dialect = { imageUrl: `${asking.images.url}/drawn.png` };
        const { body } = await asking.generate({ prompt: 'a cat', data_type: 'image' });
        expect(body.data.data_base64).to.equal(PNG.toString('base64'));
      });

      const dataUrl = `data:image/png;base64,${PNG.toString('base64')}`;
      for (const [what, imageFields] of [
        ['a data URL for its bytes', { b64_json: dataUrl }],
        ['a data URL for its address', { url: dataUrl }],
        ['an empty `b64_json` beside one', { b64_json: '', url: dataUrl }],
      ] as const) {
        it(`takes an image that is given as ${what}`, async () => {
          asking.fake.dialect = { imageFields };
          const { body } = await asking.generate({ prompt: 'a cat', data_type: 'image' });
          expect(body.data.data_base64).to.equal(PNG.toString('base64'));
        });
      }

      it('fetches an image whose address stands beside an empty `b64_json`', async () => {
        asking.images.answers['/drawn.png'] = { body: PNG };
        asking.fake.dialect = { imageFields: { b64_json: '', url: `${asking.images.url}/drawn.png` } };
        const { body } = await asking.generate({ prompt: 'a cat', data_type: 'image' });
        expect(body.data.data_base64).to.equal(PNG.toString('base64'));
      });

      it('does not fetch an image that is given by an address inside', async () => {
        asking.fake.dialect = { imageUrl: `http://127.0.0.2/drawn.png` };
        const { status, body } = await asking.generate({ prompt: 'a cat', data_type: 'image' });
        expect([status, body.code]).to.deep.equal([502, 'language_model_failed']);
      });

      it('does not pass on as an image what is none', async () => {
        asking.fake.draws = Buffer.from('<svg/>');
        const { status, body } = await asking.generate({ prompt: 'a cat', data_type: 'image' });
        expect([status, body.code]).to.deep.equal([502, 'language_model_failed']);
      });
    });

    describe('for a version', () => {
      let version_id: string;

      before(async () => {
        version_id = await newVersion(point);
      });

      it('answers data that follows its schema', async () => {
        asking.fake.description = ['{"x":1,"y":2}'];
        const { body } = await asking.generate({ prompt: 'a point', version_id });
        expect(body).to.deep.equal({ data: { x: 1, y: 2 }, type: 'json', model: 'text-model' });
      });

      it('shows the model the schema, in words and as the form of the answer', async () => {
        asking.fake.description = ['{"x":1,"y":2}'];
        await asking.generate({ prompt: 'a point', version_id });
        const { messages, response_format } = asking.fake.requests[0]!.body;
        expect([
          messages[0].content.includes(JSON.stringify(point)),
          response_format.json_schema.schema,
        ]).to.deep.equal([true, point]);
      });

      it('has data that does not fit repaired once, saying what is wrong', async () => {
        asking.fake.description = ['{"x":"one"}', '{"x":1,"y":2}'];
        const { body } = await asking.generate({ prompt: 'a point', version_id });
        const repair: string = asking.fake.requests[1]?.body.messages.at(-1).content;
        expect([body.data, repair.includes('/x')]).to.deep.equal([{ x: 1, y: 2 }, true]);
      });

      it('answers 502 and the findings when the repair does not fit either', async () => {
        asking.fake.description = ['{"x":"one"}', '{"x":1}'];
        const { status, body } = await asking.generate({ prompt: 'a point', version_id });
        expect([status, body.code, body.errors[0].pointer]).to.deep.equal([
          502,
          'generated_data_invalid',
          '/data/y',
        ]);
      });

      it('asks twice at most', async () => {
        asking.fake.description = ['{}'];
        await asking.generate({ prompt: 'a point', version_id });
        expect(asking.fake.requests).to.have.length(2);
      });

      it('sends the request again without `response_format` to a server that rejects it', async () => {
        asking.fake.description = ['{"x":1,"y":2}'];
        asking.fake.dialect = { rejectsResponseFormat: true, bareErrors: true, fences: true };
        const { body } = await asking.generate({ prompt: 'a point', version_id });
        expect([body.data, asking.fake.requests.length]).to.deep.equal([{ x: 1, y: 2 }, 2]);
      });

      it('sends it again without `response_format` to a server that breaks down on it', async () => {
        asking.fake.description = ['{"x":1,"y":2}'];
        asking.fake.dialect = { breaksOnResponseFormat: true };
        const { body } = await asking.generate({ prompt: 'a point', version_id });
        expect([body.data, asking.fake.requests.length]).to.deep.equal([{ x: 1, y: 2 }, 2]);
      });

      it('finds the dialect of a server that wants the token limit otherwise and no `response_format`', async () => {
        asking.fake.description = ['{"x":1,"y":2}'];
        asking.fake.dialect = { wantsMaxCompletionTokens: true, rejectsResponseFormat: true };
        const { body } = await asking.generate({ prompt: 'a point', version_id });
        expect([body.data, asking.fake.requests.length]).to.deep.equal([{ x: 1, y: 2 }, 3]);
      });

      it('asks for any object where the version has no schema', async () => {
        asking.fake.description = ['{"any":1}'];
        const { body } = await asking.generate({ prompt: 'x', version_id: await newVersion(undefined) });
        expect(body.data).to.deep.equal({ any: 1 });
      });

      for (const unknown of ['nope', '01890a5d-ac96-774b-bcce-b302099a8057']) {
        it(`does not know the version "${unknown}"`, async () => {
          const { status, body } = await asking.generate({ prompt: 'x', version_id: unknown });
          expect([status, body.code, asking.fake.requests.length]).to.deep.equal([
            404,
            'version_not_found',
            0,
          ]);
        });
      }

      it('does not draw images after a schema', async () => {
        const { status, body } = await asking.generate({ prompt: 'x', version_id, data_type: 'image' });
        expect([status, body.errors[0].pointer]).to.deep.equal([422, '/body/version_id']);
      });

      async function newVersion(input_schema: Record<string, unknown> | undefined): Promise<string> {
        const catalogue = asking.vitrine.get(CATALOGUE);
        const { id } = await catalogue.create({ name: 'Distance', description: 'Measures', type: 'ml' });
        const version = {
          version: '1',
          url: 'http://127.0.0.1:1/',
          ...(input_schema ? { input_schema } : {}),
        };
        return (await catalogue.createVersion(id, version)).id;
      }
    });
  });
});

describe('a request to generate data', () => {
  let asking: Asking;

  before(async () => {
    asking = await startAsking('sqlite');
  });

  beforeEach(() => asking.reset());
  after(() => asking.stop());

  const bad: Readonly<Record<string, unknown>> = {
    'no prompt': {},
    'an empty prompt': { prompt: '' },
    'a prompt that is no text': { prompt: 7 },
    'a prompt out of all bounds': { prompt: 'x'.repeat(8_001) },
    'a data type that is no text': { prompt: 'x', data_type: ['image'] },
    'an empty data type': { prompt: 'x', data_type: '' },
    'a version that is no text': { prompt: 'x', version_id: 3 },
    'a list for a body': [],
  };

  for (const [what, body] of Object.entries(bad)) {
    it(`is refused with ${what}, and no model is asked`, async () => {
      const { status } = await asking.generate(body);
      expect([status, asking.fake.requests.length]).to.deep.equal([422, 0]);
    });
  }

  it('is refused without a token', async () => {
    const { status } = await asking.vitrine.request('POST', '/llm/generate-data', { body: { prompt: 'x' } });
    expect([status, asking.fake.requests.length]).to.deep.equal([401, 0]);
  });

  it('may hold fields that nobody knows, and they lead nowhere', async () => {
    const { status } = await asking.generate({
      prompt: 'x',
      api_base: 'http://evil.example',
      model: 'gpt-x',
      url: 'x',
    });
    expect([status, asking.fake.requests[0]?.body.model]).to.deep.equal([200, 'text-model']);
  });
});
