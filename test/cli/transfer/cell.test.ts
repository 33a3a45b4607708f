import { expect } from 'chai';
import { canonical, fromJson, toJson, type Cell } from '../../../cli/transfer/cell.ts';
import { isSame, TableDigest } from '../../../cli/transfer/table-digest.ts';

describe('persistence: values of both engines', () => {
  it('mean the same where they are written differently', () => {
    expect(canonical(1, 'boolean')).to.equal(canonical(true, 'boolean'));
    expect(canonical('{"a":1,"b":{"d":1,"c":2}}', 'json')).to.equal(
      canonical('{"b": {"c": 2, "d": 1}, "a": 1}', 'json'),
    );
    expect(canonical(17, 'json'), 'SQLite makes an integer of it').to.equal(canonical('17', 'json'));
    expect(canonical(1 / 7, 'single')).to.equal(canonical(0.14285715, 'single'));
    expect(canonical(7, 'integer')).to.equal(canonical('7', 'integer'));
    expect(canonical('1.50', 'real')).to.equal(canonical(1.5, 'real'));
    const times: Cell[] = [
      951_782_400_120,
      '2000-02-29 00:00:00.12',
      '2000-02-29 00:00:00.120+00',
      '2000-02-29T00:00:00.12Z',
    ];
    expect(new Set(times.map((time) => canonical(time, 'time')))).to.have.lengthOf(1);
  });

  it('differ where they mean something else', () => {
    expect(canonical('', 'text')).not.to.equal(canonical(null, 'text'));
    expect(canonical('2000-02-29 00:00:00.120001', 'time')).not.to.equal(
      canonical('2000-02-29 00:00:00.12', 'time'),
    );
    expect(canonical('[1,2]', 'json')).not.to.equal(canonical('[2,1]', 'json'));
    expect(canonical(9007199254740993n, 'integer')).not.to.equal(canonical(9007199254740992n, 'integer'));
    expect(canonical(1 / 7, 'real')).not.to.equal(canonical(0.14285715, 'real'));
  });

  it('come back from JSON as they were', () => {
    const values: Cell[] = [
      null,
      '\u2028"ü',
      0.1,
      -1e300,
      true,
      9007199254740993n,
      Buffer.from([0, 255]),
      Infinity,
    ];
    const back = JSON.parse(JSON.stringify(values.map(toJson))) as unknown[];
    expect(back.map(fromJson)).to.deep.equal(values);
  });

  it('make a sum that depends on every row, and not on their order', () => {
    const sumOf = (...rows: Cell[][]) => {
      const digest = new TableDigest(['text', 'integer']);
      for (const row of rows) digest.add([row]);
      return digest.sum();
    };
    expect(isSame(sumOf(['a', 1], ['b', 2]), sumOf(['b', 2], ['a', 1]))).to.equal(true);
    expect(isSame(sumOf(['a', 1], ['b', 2]), sumOf(['a', 2], ['b', 1]))).to.equal(false);
    expect(isSame(sumOf(['a', 1], ['a', 1], ['c', 1]), sumOf(['b', 1], ['b', 1], ['c', 1]))).to.equal(false);
  });
});
