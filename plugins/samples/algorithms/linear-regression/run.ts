import type { InputOf, OutputOf, ParamsOf } from '../../describing/about.ts';
import { embedded } from '../../describing/embedded.ts';
import { mean } from '../../statistics/moments.ts';
import { criticalT, twoSidedP, upperTailF } from '../../statistics/student.ts';
import { about } from './about.ts';
import { acceptableTable, fitOrReject } from './acceptable.ts';
import type { Fit } from './fit.ts';

type Params = ParamsOf<typeof about>;
type Output = OutputOf<typeof about>;

/** Residuals this much smaller than the values are rounding: the fit is perfect. */
const ROUNDING = 1e-26;

export function run(input: InputOf<typeof about>, params: Params): Output {
  const table = acceptableTable(input, params.intercept);
  const fit = fitOrReject(table, input.y, params.intercept);
  const observations = observationsOf(table.rows, input.y, fit, params.intercept);
  const quality = qualityOf(observations, fit, params.intercept);
  const names = params.intercept ? ['(intercept)', ...table.names] : table.names;
  return {
    coefficients: coefficientsOf(names, fit, quality, params.confidence),
    ...quality,
    durbin_watson: durbinWatson(observations.map(({ residual }) => residual)),
    condition_number: fit.conditionNumber,
    observations,
  };
}

function observationsOf(
  rows: readonly (readonly number[])[],
  y: readonly number[],
  { coefficients, leverages }: Fit,
  intercept: boolean,
): Output['observations'] {
  return rows.map((values, i) => {
    const terms = intercept ? [1, ...values] : values;
    const fitted = terms.reduce((sum, value, term) => sum + value * coefficients[term]!, 0);
    return { row: i + 1, observed: y[i]!, fitted, residual: y[i]! - fitted, leverage: leverages[i]! };
  });
}

type Quality = Omit<Output, 'coefficients' | 'observations' | 'durbin_watson' | 'condition_number'>;

/** Sums of squares split into explained and not, and what follows from them. */
function qualityOf(observations: Output['observations'], { coefficients }: Fit, intercept: boolean): Quality {
  const middle = intercept ? mean(observations.map(({ observed }) => observed)) : 0;
  const total = observations.reduce((sum, { observed }) => sum + (observed - middle) ** 2, 0);
  const unexplained = observations.reduce((sum, { residual }) => sum + residual ** 2, 0);
  const freedom = observations.length - coefficients.length;
  const slopes = coefficients.length - (intercept ? 1 : 0);
  const f = unexplained <= total * ROUNDING ? null : (total - unexplained) / slopes / (unexplained / freedom);
  return {
    r_squared: 1 - unexplained / total,
    adjusted_r_squared: 1 - ((unexplained / total) * (observations.length - (intercept ? 1 : 0))) / freedom,
    residual_standard_error: Math.sqrt(unexplained / freedom),
    degrees_of_freedom: freedom,
    f,
    f_p: f === null ? null : upperTailF(f, slopes, freedom),
  };
}

function coefficientsOf(
  names: readonly string[],
  fit: Fit,
  quality: Quality,
  confidence: number,
): Output['coefficients'] {
  const freedom = quality.degrees_of_freedom;
  const reach = criticalT(confidence, freedom);
  return names.map((name, i) => {
    const estimate = fit.coefficients[i]!;
    const error = quality.residual_standard_error * Math.sqrt(fit.variances[i]!);
    const t = quality.f === null ? null : estimate / error;
    const p = t === null ? null : twoSidedP(t, freedom);
    return {
      name,
      estimate,
      standard_error: error,
      t,
      p,
      lower: estimate - reach * error,
      upper: estimate + reach * error,
    };
  });
}

function durbinWatson(residuals: readonly number[]): number | null {
  const size = residuals.reduce((sum, value) => sum + value ** 2, 0);
  const steps = residuals.slice(1).reduce((sum, value, i) => sum + (value - residuals[i]!) ** 2, 0);
  return size === 0 ? null : steps / size;
}

export default embedded(about, run);
