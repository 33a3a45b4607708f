import { expect } from 'chai';
import { onEveryEngine, type TestResponse } from '../../../core/testing.ts';
import { openShowcase, type Showcase } from './support/showcase.ts';

/** A bound as it is sent, and the double that it becomes. */
const bounds: readonly (readonly [bound: string, kept: number])[] = [
  ['"maximum":9223372036854775807', 2 ** 63],
  ['"minimum":-9223372036854775808', -(2 ** 63)],
  ['"maximum":18446744073709551615', 2 ** 64],
  ['"maximum":9007199254740993', 2 ** 53 + 2],
  ['"minimum":9007199254740993', 2 ** 53],
  ['"exclusiveMaximum":9007199254740993', 2 ** 53 + 2],
  ['"exclusiveMinimum":-9007199254740993', -(2 ** 53) - 2],
  ['"maximum":-9007199254740993', -(2 ** 53)],
];

/** What must keep its digits or be refused, with its place below the schema. */
const refused: readonly (readonly [schema: string, pointer: string])[] = [
  ['{"const":9007199254740993}', '/const'],
  ['{"enum":[1,9007199254740993]}', '/enum/1'],
  ['{"default":{"maximum":9007199254740993}}', '/default/maximum'],
  ['{"minLength":9007199254740993}', '/minLength'],
  ['{"multipleOf":9007199254740993}', '/multipleOf'],
  ['{"maximum":1e999}', '/maximum'],
];

describe('Numbers in the schemas of a version', () => {
  onEveryEngine((engine) => {
    let showcase: Showcase;
    let path: string;
    let labels = 0;
    before(async () => {
      showcase = await openShowcase(engine);
      path = `/algorithms/${await showcase.algorithm()}/versions`;
    });
    after(() => showcase.service.stop());

    const create = (field: string, json: string): Promise<TestResponse> =>
      showcase.as(
        showcase.admin,
        'POST',
        path,
        `{"version":"v${++labels}","url":"https://models.example.org/edges","${field}":${json}}`,
      );

    for (const [bound, kept] of bounds) {
      it(`may be bounds of 64 bits, which are rounded outward: ${bound}`, async () => {
        const { status, body } = await create(
          'input_schema',
          `{"properties":{"id":{"type":"integer",${bound}}}}`,
        );
        expect(status).to.equal(200);
        const read = (await showcase.as(undefined, 'GET', `${path}/${body.id}`)).body.input_schema.properties
          .id;
        expect(Object.values(read)).to.deep.equal(['integer', kept]);
      });
    }

    it('may be bounds of 64 bits in the output schema and in params as well', async () => {
      const output = await create('output_schema', '{"type":"integer","maximum":9223372036854775807}');
      const params = await create('params', '{"seed":{"type":"integer","min":0,"max":9223372036854775807}}');
      expect(output.body.output_schema.maximum).to.equal(2 ** 63);
      expect(params.body.params.seed.max).to.equal(2 ** 63);
    });

    it('can be sent back as they were read', async () => {
      const { body } = await create('input_schema', '{"properties":{"id":{"maximum":9223372036854775807}}}');
      const again = await showcase.as(showcase.admin, 'PUT', `${path}/${body.id}`, body);
      expect(again.body.input_schema).to.deep.equal(body.input_schema);
    });

    for (const [schema, pointer] of refused) {
      it(`are refused where they would change: ${schema}`, async () => {
        const { status, body } = await create('input_schema', schema);
        expect(status).to.equal(422);
        expect(body.errors[0].pointer).to.equal(`/body/input_schema${pointer}`);
      });
    }

    it('are refused in other fields', async () => {
      const more = '{"properties":{}},"more":{"maximum":9223372036854775807}';
      const { status, body } = await create('input_schema', more);
      expect([status, body.errors[0].pointer]).to.deep.equal([422, '/body/more/maximum']);
    });
  });
});
