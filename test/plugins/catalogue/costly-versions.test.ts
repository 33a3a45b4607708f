import { expect } from 'chai';
import { onEveryEngine } from '../../../core/testing.ts';
import { CATALOGUE, type Catalogue } from '../../../plugins/catalogue/contract.ts';
import { openShowcase, type Showcase } from './support/showcase.ts';

const inner = (name: string) => ({ properties: { next: { $ref: `#/$defs/${name}` } } });
const either = { anyOf: [inner('a'), inner('b')] };
/** Each level of a value is checked twice as often as the one around it. */
const COSTLY = { $ref: '#/$defs/a', $defs: { a: either, b: either } };
const DEEP = Array.from({ length: 50 }).reduce<object>((next) => ({ next }), { next: 1 });

describe('A version whose schema takes too long to check', () => {
  onEveryEngine((engine) => {
    let showcase: Showcase;
    let catalogue: Catalogue;
    let algorithmId: string;
    let versionId: string;

    before(async () => {
      showcase = await openShowcase(engine);
      catalogue = showcase.service.get(CATALOGUE);
    });
    after(() => showcase.service.stop());
    beforeEach(async () => {
      algorithmId = await showcase.algorithm();
      versionId = (await showcase.version(algorithmId, { input_schema: COSTLY })).id;
    });

    const path = () => `/algorithms/${algorithmId}/versions/${versionId}`;
    const since = async () =>
      (await showcase.as(undefined, 'GET', path())).body.schema_too_costly_since as string | undefined;
    const check = async (value: object) => {
      const { checkInput } = await catalogue.callable(algorithmId, versionId);
      try {
        await checkInput(value);
        return 'checked';
      } catch (error) {
        return (error as { code?: string }).code;
      }
    };

    it('says since when, once a check was refused', async () => {
      expect([await check({ next: {} }), await since()]).to.deep.equal(['checked', undefined]);
      const outcomes = await Promise.all([check(DEEP), check(DEEP), check(DEEP)]);
      expect(outcomes).to.deep.equal(Array.from({ length: 3 }, () => 'schema_too_costly'));
      expect(Date.parse((await since())!)).to.be.closeTo(Date.now(), 10_000);
    });

    it('keeps what it said when it is refused again, or changed but for its schemas', async () => {
      await check(DEEP);
      const first = await since();
      const { body } = await showcase.as(showcase.admin, 'GET', path());
      await showcase.as(showcase.admin, 'PUT', path(), { ...body, version: 'renamed' });
      expect([await check(DEEP), await since()]).to.deep.equal(['schema_too_costly', first]);
    });

    it('says so no longer when a schema is changed', async () => {
      await check(DEEP);
      await showcase.as(showcase.admin, 'PUT', path(), { input_schema: { type: 'object' } });
      expect([await since(), await check(DEEP)]).to.deep.equal([undefined, 'checked']);
    });

    it('is not marked when its schemas were changed during the check', async () => {
      const slow = check(DEEP);
      await showcase.as(showcase.admin, 'PUT', path(), { input_schema: { type: 'object' } });
      expect([await slow, await since()]).to.deep.equal(['schema_too_costly', undefined]);
    });
  });
});
