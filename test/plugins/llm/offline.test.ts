import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect } from 'chai';
import { PNG } from 'pngjs';
import { CATALOGUE } from '../../../plugins/catalogue/contract.ts';
import { schemaIn } from '../../../plugins/llm/offline/prompt-reader.ts';
import { pngOf } from './pictures.ts';
import { startAsking, type Asking } from './setup.ts';

const schema = {
  type: 'object',
  properties: {
    series: { type: 'array', minItems: 12, items: { type: 'number', minimum: 0, maximum: 10 } },
    horizon: { type: 'integer', minimum: 1, maximum: 24 },
  },
  required: ['series', 'horizon'],
  additionalProperties: false,
};

describe('without a configured language model', () => {
  let asking: Asking;

  before(async () => {
    asking = await startAsking('sqlite', {}, { offline: true });
  });

  beforeEach(() => asking.reset());
  after(() => asking.stop());

  it('data follows the schema of a version, and the answer says `offline`', async () => {
    const catalogue = asking.vitrine.get(CATALOGUE);
    const { id } = await catalogue.create({
      name: 'Forecast',
      description: 'Looks ahead',
      type: 'time_series',
    });
    const version = await catalogue.createVersion(id, {
      version: '1',
      url: 'http://127.0.0.1:1/',
      input_schema: schema,
    });
    const { body } = await asking.generate({ prompt: 'sales', version_id: version.id });
    expect([new Ajv2020().validate(schema, body.data), body.type, body.model]).to.deep.equal([
      true,
      'json',
      'offline',
    ]);
  });

  it('a schema that asks for more than may be made up is refused, and the sentence says what to lower', async () => {
    const catalogue = asking.vitrine.get(CATALOGUE);
    const { id } = await catalogue.create({ name: 'Greedy', description: 'Wants all', type: 'text' });
    const text = { type: 'string', pattern: '^[a-z]{1000}$' };
    const version = await catalogue.createVersion(id, {
      version: '1',
      url: 'http://127.0.0.1:1/',
      input_schema: { type: 'object', properties: { texts: { type: 'array', minItems: 1000, items: text } } },
    });
    const { status, body } = await asking.generate({ prompt: 'much', version_id: version.id });
    expect([status, body.code, /minItems/.test(body.detail)]).to.deep.equal([422, 'sample_too_large', true]);
  });

  it('formats that it does not know are any text, whatever they are called', async () => {
    const catalogue = asking.vitrine.get(CATALOGUE);
    const { id } = await catalogue.create({ name: 'Odd', description: 'Has odd formats', type: 'text' });
    const formats = ['constructor', '__proto__', 'hasOwnProperty', 'toString', 'new'];
    const properties = Object.fromEntries(
      formats.map((format, at) => [`text_${at}`, { type: 'string', format }]),
    );
    const version = await catalogue.createVersion(id, {
      version: '1',
      url: 'http://127.0.0.1:1/',
      input_schema: { type: 'object', properties, required: Object.keys(properties) },
    });
    const { status, body } = await asking.generate({ prompt: 'odd', version_id: version.id });
    expect(status, JSON.stringify(body)).to.equal(200);
    for (const text of Object.values(body.data)) expect(text).to.match(/^[a-z]+$/);
  });

  it('records have the fields that the prompt names', async () => {
    const { body } = await asking.generate({ prompt: 'Make 4 customers with name, age and e-mail' });
    expect(body.data.records.map((record: object) => Object.keys(record).join())).to.deep.equal(
      Array(4).fill('name,age,e_mail'),
    );
  });

  it('numbers lie in the range that the prompt names', async () => {
    const { body } = await asking.generate({ prompt: '50 temperatures between -5 and 30' });
    const values: number[] = body.data.values;
    expect([values.length, values.every((value) => value >= -5 && value <= 30)]).to.deep.equal([50, true]);
  });

  it('text says that no model was asked', async () => {
    const { body } = await asking.generate({ prompt: 'a poem' });
    expect([body.type, body.data]).to.deep.equal([
      'text',
      'Sample text, made without a language model, for: a poem',
    ]);
  });

  it('JSON is an object, whatever the prompt', async () => {
    const { body } = await asking.generate({ prompt: 'whatever', data_type: 'json' });
    expect(body.data).to.be.an('object');
  });

  it('the same question gets the same answer', async () => {
    const ask = async () => (await asking.generate({ prompt: '9 numbers' })).body.data;
    expect(await ask()).to.deep.equal(await ask());
  });

  it('an image is a real PNG', async () => {
    const { body } = await asking.generate({ prompt: 'a cat', data_type: 'image' });
    const { width, height } = PNG.sync.read(Buffer.from(body.data.data_base64, 'base64'));
    const found = [body.data.content_type, width, height, body.model];
    expect(found).to.deep.equal(['image/png', 256, 256, 'offline']);
  });

  it('the description of an image says what was measured, and that nobody looked', async () => {
    asking.images.answers['/x.png'] = { body: pngOf(30, 20) };
    const { body } = await asking.describe(`${asking.images.url}/x.png`);
    expect(body.description).to.match(/PNG.*landscape.*30 × 20 pixels.*not looked at/);
  });

  it('the description says `offline`', async () => {
    asking.images.answers['/x.png'] = { body: pngOf(30, 20) };
    expect((await asking.describe(`${asking.images.url}/x.png`)).body.model).to.equal('offline');
  });

  it('no model is asked', async () => {
    await asking.generate({ prompt: 'a poem' });
    expect(asking.fake.requests).to.deep.equal([]);
  });
});

describe('reading a prompt by plain rules', () => {
  const fields = (prompt: string) => {
    const list = schemaIn(prompt) as
      | { properties: { records?: { items: { required: string[] } } } }
      | undefined;
    return list?.properties.records?.items.required;
  };

  it('finds fields after "with"', () => {
    expect(fields('ten houses with rooms, price and garden size')).to.deep.equal([
      'rooms',
      'price',
      'garden_size',
    ]);
  });

  it('finds fields after "columns:"', () => {
    expect(fields('a table, columns: id, title')).to.deep.equal(['id', 'title']);
  });

  it('does not take prose for fields', () => {
    expect(fields('a sentence with a happy and rather long-winded ending that nobody expects')).to.equal(
      undefined,
    );
  });

  it('does not take the bounds of a range for a count', () => {
    const list = schemaIn('values between 100 and 200') as { properties: { values: { minItems: number } } };
    expect(list.properties.values.minItems).to.equal(5);
  });

  it('makes a hundred at most', () => {
    const list = schemaIn('999 values') as { properties: { values: { minItems: number } } };
    expect(list.properties.values.minItems).to.equal(100);
  });

  it('finds nothing in a question for words', () => {
    expect(schemaIn('Tell me a story about a fox.')).to.equal(undefined);
  });
});
