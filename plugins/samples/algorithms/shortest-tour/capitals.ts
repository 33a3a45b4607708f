/** Sixteen European capitals: longitude and latitude in degrees. */
export const CAPITALS = [
  { name: 'Amsterdam', x: 4.9, y: 52.37 },
  { name: 'Athens', x: 23.73, y: 37.98 },
  { name: 'Berlin', x: 13.4, y: 52.52 },
  { name: 'Bern', x: 7.45, y: 46.95 },
  { name: 'Brussels', x: 4.35, y: 50.85 },
  { name: 'Budapest', x: 19.04, y: 47.5 },
  { name: 'Copenhagen', x: 12.57, y: 55.68 },
  { name: 'Lisbon', x: -9.14, y: 38.72 },
  { name: 'Madrid', x: -3.7, y: 40.42 },
  { name: 'Paris', x: 2.35, y: 48.86 },
  { name: 'Prague', x: 14.42, y: 50.09 },
  { name: 'Rome', x: 12.5, y: 41.9 },
  { name: 'Stockholm', x: 18.07, y: 59.33 },
  { name: 'Vienna', x: 16.37, y: 48.21 },
  { name: 'Warsaw', x: 21.01, y: 52.23 },
  { name: 'Zagreb', x: 15.98, y: 45.81 },
];
