import { extname } from 'node:path';
import type { About } from '../describing/about.ts';
import { about as anomalyDetection } from './anomaly-detection/about.ts';
import { about as changePoints } from './change-points/about.ts';
import { about as contrastEqualisation } from './contrast-equalisation/about.ts';
import { about as decisionTree } from './decision-tree/about.ts';
import { about as dominantColours } from './dominant-colours/about.ts';
import { about as edgeDetection } from './edge-detection/about.ts';
import { about as kMeans } from './k-means/about.ts';
import { about as keywordExtraction } from './keyword-extraction/about.ts';
import { about as languageDetection } from './language-detection/about.ts';
import { about as linearOptimisation } from './linear-optimisation/about.ts';
import { about as linearRegression } from './linear-regression/about.ts';
import { about as principalComponents } from './principal-components/about.ts';
import { about as seasonalForecast } from './seasonal-forecast/about.ts';
import { about as shortestTour } from './shortest-tour/about.ts';
import { about as textSimilarity } from './text-similarity/about.ts';
import { about as textSummary } from './text-summary/about.ts';

/** Every sample, in the order in which a catalogue shows them. Their code is loaded in the workers only. */
export const samples: readonly About[] = [
  edgeDetection,
  seasonalForecast,
  languageDetection,
  kMeans,
  shortestTour,
  dominantColours,
  keywordExtraction,
  linearRegression,
  anomalyDetection,
  contrastEqualisation,
  textSummary,
  decisionTree,
  linearOptimisation,
  changePoints,
  textSimilarity,
  principalComponents,
];

/** The module that runs a sample: compiled or source, as this one is. */
export function moduleOf({ name }: About): URL {
  return new URL(`./${name}/run${extname(import.meta.url)}`, import.meta.url);
}
