import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect } from 'chai';
import { isCertainlyCheap } from '../../../../plugins/catalogue/schema/cost.ts';
import { seededRandom, type SeededRandom } from '../../../support/seeded-random.ts';
import { schemaOf, valueOf } from '../support/safe-schemas.ts';
import { faultsOf, openValidator, type ValidatorUnderTest } from '../support/validator.ts';

const SCHEMAS = 1_000;
const VALUES = 10;

/** Ajv as it comes, without the check of the schema itself, which would be compiled anew each time. */
const PLAIN = { strict: false, logger: false, meta: false, validateSchema: false } as const;

interface Verdict {
  readonly valid: boolean;
  readonly cheap: boolean;
  /** Set when the two disagree. */
  readonly disagreement?: string;
}

describe('Verdicts on 1,000 safe schemas with ten values each', function () {
  this.timeout(120_000);
  let under: ValidatorUnderTest;
  const verdicts: Verdict[] = [];
  const faults: string[] = [];

  async function judge(schema: Record<string, unknown>, random: SeededRandom): Promise<void> {
    faults.push(...(await faultsOf(under.validator, schema)));
    const plain = new Ajv2020({ ...PLAIN }).compile(schema);
    const check = under.validator.checkFor(schema);
    for (let round = 0; round < VALUES; round += 1) {
      const value = valueOf(random);
      const valid = plain(value);
      const ours = (await check(value)).length === 0;
      const cheap = isCertainlyCheap(schema);
      const disagreement = JSON.stringify({ schema, value, ajv: valid });
      verdicts.push({ valid, cheap, ...(ours === valid ? {} : { disagreement }) });
    }
  }

  before(async () => {
    under = openValidator({ compileMs: 2_000, checkMs: 2_000 });
    const random = seededRandom(20_261_121);
    for (let count = 0; count < SCHEMAS; count += 1) await judge(schemaOf(random), random);
  });
  after(() => under.stop());

  it('find every schema acceptable', () => {
    expect(faults).to.deep.equal([]);
  });

  it('are those of plain ajv', () => {
    expect(verdicts).to.have.length(SCHEMAS * VALUES);
    expect(verdicts.flatMap(({ disagreement }) => disagreement ?? [])).to.deep.equal([]);
  });

  it('are of both kinds, on the main thread and in workers', () => {
    const kinds = new Map<string, number>();
    for (const { valid, cheap } of verdicts) {
      const kind = `${valid ? 'valid' : 'invalid'} ${cheap ? 'here' : 'elsewhere'}`;
      kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
    }
    expect(kinds.size).to.equal(4);
    for (const [kind, count] of kinds) expect(count, kind).to.be.greaterThan(200);
  });
});
