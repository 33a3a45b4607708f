import { expect } from 'chai';
import { run } from '../../../../plugins/samples/algorithms/linear-regression/run.ts';
import { InputRejected } from '../../../../plugins/samples/input-rejected.ts';
import { CERTIFIED, LONGLEY } from '../fixtures/longley.ts';

const usual = { intercept: true, confidence: 0.95 };

/** Agreement in significant digits. */
function expectDigits(value: number, certified: number, digits: number): void {
  expect(Math.abs(value / certified - 1), `${value} for ${certified}`).to.be.lessThan(10 ** -digits);
}

/** Anscombe (1973): four data sets with the same line and very different looks. */
const ANSCOMBE: [number[], number[]][] = [
  [
    [10, 8, 13, 9, 11, 14, 6, 4, 12, 7, 5],
    [8.04, 6.95, 7.58, 8.81, 8.33, 9.96, 7.24, 4.26, 10.84, 4.82, 5.68],
  ],
  [
    [10, 8, 13, 9, 11, 14, 6, 4, 12, 7, 5],
    [9.14, 8.14, 8.74, 8.77, 9.26, 8.1, 6.13, 3.1, 9.13, 7.26, 4.74],
  ],
  [
    [10, 8, 13, 9, 11, 14, 6, 4, 12, 7, 5],
    [7.46, 6.77, 12.74, 7.11, 7.81, 8.84, 6.08, 5.39, 8.15, 6.42, 5.73],
  ],
  [
    [8, 8, 8, 8, 8, 8, 8, 19, 8, 8, 8],
    [6.58, 5.76, 7.71, 8.84, 8.47, 7.04, 5.25, 12.5, 5.56, 7.91, 6.89],
  ],
];

describe('Linear regression', () => {
  describe('on the Longley data of NIST', () => {
    const fit = run({ rows: LONGLEY.map((row) => row.slice(1)), y: LONGLEY.map((row) => row[0]!) }, usual);

    it('has the certified coefficients and standard errors to eleven digits', () => {
      fit.coefficients.forEach(({ estimate, standard_error }, i) => {
        expectDigits(estimate, CERTIFIED[i]![0], 11);
        expectDigits(standard_error, CERTIFIED[i]![1], 11);
      });
    });

    it('has the certified R², residual deviation and F', () => {
      expectDigits(fit.r_squared, 0.995479004577296, 13);
      expectDigits(fit.residual_standard_error, 304.854073561965, 11);
      expectDigits(fit.f!, 330.28533923459, 11);
      expectDigits(fit.f_p!, 4.984030528724674e-10, 9);
      expect(fit.degrees_of_freedom).to.equal(9);
    });

    it('has the p values and intervals that R prints', () => {
      const [intercept, deflator] = fit.coefficients;
      expect(intercept!.p).to.be.closeTo(0.00356, 5e-6);
      expect(deflator!.p).to.be.closeTo(0.86314, 5e-6);
      expect(intercept!.lower).to.be.closeTo(-5496529.48, 0.01);
      expect(intercept!.upper).to.be.closeTo(-1467987.79, 0.01);
    });

    it('says by the condition number that the columns are alike', () => {
      expect(fit.condition_number).to.be.greaterThan(30);
    });
  });

  ANSCOMBE.forEach(([x, y], i) => {
    it(`fits the same line to set ${i + 1} of Anscombe`, () => {
      const { coefficients, r_squared } = run({ rows: x.map((value) => [value]), y }, usual);
      expect(coefficients[0]!.estimate).to.be.closeTo(3, 0.005);
      expect(coefficients[1]!.estimate).to.be.closeTo(0.5, 0.0005);
      expect(r_squared).to.be.closeTo(0.667, 0.001);
    });
  });

  it('shows by its leverage the one row that decides the fourth set of Anscombe', () => {
    const [x, y] = ANSCOMBE[3]!;
    const { observations } = run({ rows: x.map((value) => [value]), y }, usual);
    expect(observations[7]!.leverage).to.be.closeTo(1, 1e-12);
  });

  it('leaves residuals that add up to nothing and go with no column', () => {
    const rows = LONGLEY.map((row) => row.slice(1, 4));
    const { observations } = run({ rows, y: LONGLEY.map((row) => row[0]!) }, usual);
    const sum = (weight: (row: number[]) => number) =>
      observations.reduce((total, { residual }, i) => total + residual * weight(rows[i]!), 0);
    for (const weight of [() => 1, (row: number[]) => row[0]!, (row: number[]) => row[1]! / 1e5]) {
      expect(sum(weight)).to.be.closeTo(0, 1e-5);
    }
  });

  it('fits through the origin without an intercept', () => {
    const { coefficients, r_squared } = run(
      { rows: [[1], [2], [3]], y: [2, 4, 7] },
      { ...usual, intercept: false },
    );
    expect(coefficients.map(({ name }) => name)).to.deep.equal(['x1']);
    expect(coefficients[0]!.estimate).to.be.closeTo(31 / 14, 1e-12);
    expect(r_squared).to.be.closeTo(1 - 5 / 14 / 69, 1e-12);
  });

  it('has no t, p or F when the fit is perfect', () => {
    const { coefficients, f, f_p, r_squared } = run({ rows: [[1], [2], [3], [5]], y: [3, 5, 7, 11] }, usual);
    expect([coefficients[1]!.t, coefficients[1]!.p, f, f_p, r_squared]).to.deep.equal([
      null,
      null,
      null,
      null,
      1,
    ]);
  });

  const refused: [string, () => unknown, string][] = [
    [
      'columns that depend on each other, naming them',
      () =>
        run(
          {
            rows: [
              [1, 5, 2],
              [2, 1, 4],
              [3, 4, 6],
              [4, 4, 8],
              [5, 9, 10],
            ],
            y: [1, 2, 4, 3, 9],
            names: ['a', 'b', 'c'],
          },
          usual,
        ),
      'The columns "a", "c" depend',
    ],
    [
      'a constant column beside an intercept',
      () =>
        run(
          {
            rows: [
              [1, 7],
              [2, 7],
              [4, 7],
              [5, 7],
            ],
            y: [1, 2, 3, 5],
          },
          usual,
        ),
      'The column "x2" is the same',
    ],
    [
      'a column of zeros without an intercept',
      () =>
        run(
          {
            rows: [
              [1, 0],
              [2, 0],
              [4, 0],
              [5, 0],
            ],
            y: [1, 2, 3, 5],
          },
          { ...usual, intercept: false },
        ),
      'depend',
    ],
    [
      'observed values that are all the same',
      () => run({ rows: [[1], [2], [3]], y: [4, 4, 4] }, usual),
      'nothing to explain',
    ],
    [
      'fewer rows than coefficients need',
      () =>
        run(
          {
            rows: [
              [1, 2],
              [2, 5],
              [3, 1],
            ],
            y: [1, 2, 4],
          },
          usual,
        ),
      '3 rows cannot',
    ],
    [
      'another number of values than rows',
      () => run({ rows: [[1], [2], [3]], y: [1, 2] }, usual),
      '2 observed values for 3',
    ],
  ];
  for (const [what, call, words] of refused) {
    it(`refuses ${what}`, () => {
      expect(call).to.throw(InputRejected, words);
    });
  }
});
