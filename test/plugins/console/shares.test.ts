import { expect } from 'chai';
import { loadConsoleModules } from '../../support/console-modules.ts';

interface Shares {
  readonly stable: string;
}
interface Weight {
  readonly version_id: string;
  readonly percent: number;
}

const ROUTE = {
  stable_version_id: 'a',
  versions: [
    { version_id: 'a', percent: 70 },
    { version_id: 'b', percent: 20 },
    { version_id: 'c', percent: 10 },
  ],
};

describe('the shares of versions in the console', () => {
  let sharesOf: (route: typeof ROUTE) => Shares;
  let restOf: (shares: Shares) => number;
  let mostFor: (shares: Shares, id: string) => number;
  let versionsOf: (shares: Shares) => readonly Weight[];
  let withShare: (shares: Shares, id: string, percent: number) => Shares;
  let withoutCanary: (shares: Shares, id: string) => Shares;
  let withStable: (shares: Shares, id: string) => Shares;
  let shares: Shares;
  const sum = (shares: Shares) => versionsOf(shares).reduce((all, { percent }) => all + percent, 0);
  before(async () => {
    const modules = await loadConsoleModules('administration/algorithms/rollout/shares.ts');
    ({ sharesOf, restOf, mostFor, versionsOf, withShare, withoutCanary, withStable } = modules);
    shares = sharesOf(ROUTE);
  });

  it('leave the stable version the rest, so that they always add up', () => {
    expect(restOf(shares)).to.equal(70);
    const grown = withShare(shares, 'b', 55);
    expect([restOf(grown), sum(grown)]).to.deep.equal([35, 100]);
    expect(versionsOf(withoutCanary(shares, 'b'))).to.deep.equal([
      { version_id: 'a', percent: 90 },
      { version_id: 'c', percent: 10 },
    ]);
  });

  it('let a canary grow by what the others leave', () => {
    expect(mostFor(shares, 'b')).to.equal(90);
    expect(mostFor(shares, 'new')).to.equal(70);
  });

  it('stay with their versions when another one becomes stable', () => {
    const turned = withStable(shares, 'b');
    expect(versionsOf(turned)).to.have.deep.members([
      { version_id: 'b', percent: 20 },
      { version_id: 'c', percent: 10 },
      { version_id: 'a', percent: 70 },
    ]);
    expect(sum(turned)).to.equal(100);
  });

  it('forget a stable version that had none of it', () => {
    const promoted = withShare(withoutCanary(shares, 'c'), 'b', 100);
    expect(versionsOf(withStable(promoted, 'b'))).to.deep.equal([{ version_id: 'b', percent: 100 }]);
  });
});
