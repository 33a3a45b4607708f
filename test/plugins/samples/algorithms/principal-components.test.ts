import { expect } from 'chai';
import { run } from '../../../../plugins/samples/algorithms/principal-components/run.ts';
import { InputRejected } from '../../../../plugins/samples/input-rejected.ts';
import { IRIS } from '../fixtures/iris.ts';

const all = { components: 4, standardise: false };
const names = ['a', 'b', 'c', 'd'];

describe('Principal components', () => {
  it('of the irises agree with scikit-learn: variances and shares', () => {
    const { components } = run({ rows: IRIS }, all);
    const variances = [4.228241706034838, 0.2426707479286116, 0.07820950004290794, 0.023835092973445878];
    const shares = [0.924618723201734, 0.05306648311706378, 0.017102609807927494, 0.005212183873274667];
    components.forEach(({ variance, share }, i) => {
      expect(variance).to.be.closeTo(variances[i]!, 1e-12);
      expect(share).to.be.closeTo(shares[i]!, 1e-12);
    });
    expect(components[3]!.cumulative_share).to.be.closeTo(1, 1e-12);
  });

  it('of the irises agree with scikit-learn: weights and scores', () => {
    const { components, scores } = run({ rows: IRIS, names }, all);
    const weights = [0.3613865917853652, -0.08452251406457312, 0.856670605949836, 0.35828919715155155];
    names.forEach((name, i) => expect(components[0]!.weights[name]).to.be.closeTo(weights[i]!, 1e-11));
    expect(scores[0]!.x).to.be.closeTo(-2.68412562596954, 1e-11);
    expect(scores[0]!.y).to.be.closeTo(0.31939724658508517, 1e-11);
  });

  it('of scaled columns agree with scikit-learn', () => {
    const shares = run({ rows: IRIS }, { components: 4, standardise: true }).components.map(
      ({ share }) => share,
    );
    [0.7296244541329987, 0.2285076178670177, 0.03668921889282885, 0.0051787091071548415].forEach((share, i) =>
      expect(shares[i]).to.be.closeTo(share, 1e-12),
    );
  });

  it('are one for points on a line', () => {
    const { components } = run(
      {
        rows: [
          [1, 2],
          [2, 4],
          [3, 6],
        ],
      },
      { components: 2, standardise: false },
    );
    expect(components[0]!.share).to.be.closeTo(1, 1e-15);
    expect(components[0]!.weights['x2']).to.be.closeTo(2 / Math.sqrt(5), 1e-12);
  });

  it('leave a constant column without weight', () => {
    const { components } = run(
      {
        rows: [
          [1, 7],
          [2, 7],
          [4, 7],
        ],
      },
      { components: 1, standardise: true },
    );
    expect(components[0]!.weights).to.deep.equal({ x1: 1, x2: 0 });
  });

  it('are no more than the rows allow', () => {
    expect(
      run(
        {
          rows: [
            [1, 2, 3],
            [3, 1, 2],
          ],
        },
        { components: 30, standardise: false },
      ).components,
    ).to.have.length(2);
  });

  it('are refused for rows that are all the same', () => {
    expect(() =>
      run(
        {
          rows: [
            [1, 2],
            [1, 2],
          ],
        },
        all,
      ),
    ).to.throw(InputRejected, 'All rows are the same');
  });
});
