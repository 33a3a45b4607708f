import { expect } from 'chai';
import type { about } from '../../../../plugins/samples/algorithms/linear-optimisation/about.ts';
import { run } from '../../../../plugins/samples/algorithms/linear-optimisation/run.ts';
import type { InputOf } from '../../../../plugins/samples/describing/about.ts';
import { InputRejected } from '../../../../plugins/samples/input-rejected.ts';
import { SOLVED_PROBLEMS, type SolvedProblem } from '../fixtures/solved-problems.ts';

type Problem = InputOf<typeof about>;

const named = (values: readonly number[]) => Object.fromEntries(values.map((value, i) => [`x${i}`, value]));
const atMost = (terms: Record<string, number>, value: number) => ({
  terms,
  relation: 'at most' as const,
  value,
});

function problemOf({ c, A, b, whole }: SolvedProblem): Problem {
  return {
    goal: 'maximise',
    objective: named(c),
    constraints: A.map((row, i) => atMost(named(row), b[i]!)),
    whole: whole.map((i) => `x${i}`),
  };
}

/** Which things to take along so that they are worth most and not too heavy. */
function knapsack(weights: readonly number[], profits: readonly number[], capacity: number): Problem {
  return {
    goal: 'maximise',
    objective: named(profits),
    constraints: [atMost(named(weights), capacity), ...weights.map((_, i) => atMost({ [`x${i}`]: 1 }, 1))],
    whole: weights.map((_, i) => `x${i}`),
  };
}

describe('Linear optimisation', () => {
  SOLVED_PROBLEMS.forEach((problem, i) => {
    it(`comes to the same sum as HiGHS: problem ${i + 1}`, () => {
      const { status, objective } = run(problemOf(problem));
      expect(status).to.equal('optimal');
      expect(objective).to.be.closeTo(problem.best, 1e-6);
    });
  });

  it('solves the windows and doors of Hillier and Lieberman', () => {
    const { objective, variables, constraints } = run({
      goal: 'maximise',
      objective: { doors: 3, windows: 5 },
      constraints: [
        { name: 'plant 1', ...atMost({ doors: 1 }, 4) },
        { name: 'plant 2', ...atMost({ windows: 2 }, 12) },
        { name: 'plant 3', ...atMost({ doors: 3, windows: 2 }, 18) },
      ],
    });
    expect([objective, variables]).to.deep.equal([
      36,
      [
        { name: 'doors', value: 2 },
        { name: 'windows', value: 6 },
      ],
    ]);
    expect(constraints.map(({ slack, binding }) => [slack, binding])).to.deep.equal([
      [2, false],
      [0, true],
      [0, true],
    ]);
  });

  it('fills the knapsacks of Burkardt as well as can be', () => {
    const p01 = knapsack(
      [23, 31, 29, 44, 53, 38, 63, 85, 89, 82],
      [92, 57, 49, 68, 60, 43, 67, 84, 87, 72],
      165,
    );
    const p07 = knapsack(
      [70, 73, 77, 80, 82, 87, 90, 94, 98, 106, 110, 113, 115, 118, 120],
      [135, 139, 149, 150, 156, 163, 173, 184, 192, 201, 210, 214, 221, 229, 240],
      750,
    );
    expect([p01, p07].map((problem) => run(problem).objective)).to.deep.equal([309, 1458]);
  });

  it('makes a sum small: the diet of two foods', () => {
    const { objective, variables } = run({
      goal: 'minimise',
      objective: { oats: 2, milk: 3 },
      constraints: [
        { terms: { oats: 4, milk: 2 }, relation: 'at least', value: 8 },
        { terms: { oats: 1, milk: 3 }, relation: 'at least', value: 6 },
      ],
    });
    expect(objective).to.be.closeTo(7.2, 1e-9);
    expect(Object.fromEntries(variables.map(({ name, value }) => [name, value])))
      .to.have.property('oats')
      .that.is.closeTo(1.2, 1e-9);
  });

  it('holds equations', () => {
    const { variables } = run({
      goal: 'minimise',
      objective: { a: 1, b: 2 },
      constraints: [{ terms: { a: 1, b: 1 }, relation: 'equal to', value: 10 }, atMost({ a: 1 }, 4)],
    });
    expect(variables.map(({ value }) => value)).to.deep.equal([4, 6]);
  });

  it('says that nothing satisfies all constraints', () => {
    const answer = run({ goal: 'maximise', objective: { x: 1 }, constraints: [atMost({ x: 1 }, -1)] });
    expect(answer).to.deep.equal({ status: 'infeasible', objective: null, variables: [], constraints: [] });
  });

  it('says that the sum has no end', () => {
    const answer = run({ goal: 'maximise', objective: { x: 1 }, constraints: [atMost({ y: 1 }, 3)] });
    expect(answer).to.deep.include({ status: 'unbounded', objective: null });
  });

  it('takes names that every object has for names like any other', () => {
    const constraints = [atMost({ constructor: 1 }, 3), atMost({ toString: 1 }, 4)];
    const answer = run({ goal: 'maximise', objective: { constructor: 1, toString: 2 }, constraints });
    expect(answer.objective).to.equal(11);
    expect(answer.constraints.map(({ sum }) => sum)).to.deep.equal([3, 4]);
  });

  it('refuses whole variables that stand nowhere', () => {
    const problem: Problem = {
      goal: 'maximise',
      objective: { x: 1 },
      constraints: [atMost({ x: 1 }, 3)],
      whole: ['z'],
    };
    expect(() => run(problem)).to.throw(InputRejected, '"z" shall be whole');
  });

  it('refuses more than 60 variables', () => {
    const constraints = [0, 40].map((from) =>
      atMost(Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`v${from + i}`, 1])), 9),
    );
    expect(() => run({ goal: 'maximise', objective: { v0: 1 }, constraints })).to.throw(
      InputRejected,
      '80 variables',
    );
  });
});
