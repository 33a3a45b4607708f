const HUES: Readonly<Record<string, string>> = {
  computer_vision: 'hue-vision',
  nlp: 'hue-nlp',
  ml: 'hue-ml',
  time_series: 'hue-series',
  optimisation: 'hue-optimisation',
  audio: 'hue-audio',
  graph: 'hue-graph',
};

/** The class with the colour of a type of algorithms. */
export function hueOf(type: string): string {
  return HUES[type] ?? 'hue-other';
}
