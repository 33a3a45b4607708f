const LANCZOS = [
  676.5203681218851, -1259.1392167224028, 771.32342877765313, -176.61502916214059, 12.507343278686905,
  -0.13857109526572012, 9.9843695780195716e-6, 1.5056327351493116e-7,
];
const SMALLEST = 1e-300;
const PRECISION = 1e-15;
const MOST_TERMS = 500;

/** Two-sided p-value of a t statistic: the chance of one at least as far from 0 when there is no effect. */
export function twoSidedP(t: number, freedom: number): number {
  return incompleteBeta(freedom / 2, 0.5, freedom / (freedom + t * t));
}

/** The chance of an F statistic at least as large when there is no effect. */
export function upperTailF(f: number, freedom1: number, freedom2: number): number {
  return incompleteBeta(freedom2 / 2, freedom1 / 2, freedom2 / (freedom2 + freedom1 * f));
}

/** The t that leaves `1 - confidence` outside of -t to t. Bisection: the p-value falls as t grows. */
export function criticalT(confidence: number, freedom: number): number {
  let [low, high] = [0, 1];
  while (twoSidedP(high, freedom) > 1 - confidence) high *= 2;
  while (high - low > 1e-13 * high) {
    const middle = (low + high) / 2;
    if (middle === low || middle === high) break;
    if (twoSidedP(middle, freedom) > 1 - confidence) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

/** Regularised incomplete beta function (Abramowitz and Stegun, 26.5.8), from whichever side converges fast. */
export function incompleteBeta(a: number, b: number, x: number): number {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  const front = Math.exp(logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log1p(-x));
  if (x < (a + 1) / (a + b + 2)) return (front * continuedFraction(a, b, x)) / a;
  return 1 - (front * continuedFraction(b, a, 1 - x)) / b;
}

/** Evaluated from the front by Lentz's method. */
function continuedFraction(a: number, b: number, x: number): number {
  let c = 1;
  let d = 1 / nonZero(1 - ((a + b) * x) / (a + 1));
  let result = d;
  for (let m = 1; m < MOST_TERMS; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / nonZero(1 + even * d);
    c = nonZero(1 + even / c);
    result *= d * c;
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / nonZero(1 + odd * d);
    c = nonZero(1 + odd / c);
    result *= d * c;
    if (Math.abs(d * c - 1) < PRECISION) break;
  }
  return result;
}

function nonZero(value: number): number {
  return Math.abs(value) < SMALLEST ? SMALLEST : value;
}

/** Natural logarithm of the gamma function for positive numbers (Lanczos, g = 7). */
function logGamma(x: number): number {
  const shifted = x - 1;
  const base = shifted + 7.5;
  const series = LANCZOS.reduce((sum, term, i) => sum + term / (shifted + i + 1), 0.99999999999980993);
  return 0.5 * Math.log(2 * Math.PI) + (shifted + 0.5) * Math.log(base) - base + Math.log(series);
}
