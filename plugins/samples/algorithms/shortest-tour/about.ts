import Type from 'typebox';
import { about as describe } from '../../describing/about.ts';
import { shownAs } from '../../describing/views.ts';
import { finiteNumber } from '../../statistics/schema.ts';
import { seedParam } from '../../statistics/seed.ts';
import { CAPITALS } from './capitals.ts';

const Point = Type.Object(
  {
    name: Type.Optional(Type.String({ minLength: 1, maxLength: 60, title: 'Name', 'x-order': 0 })),
    x: Type.Unsafe<number>({ ...finiteNumber(), title: 'x or longitude', 'x-order': 1 }),
    y: Type.Unsafe<number>({ ...finiteNumber(), title: 'y or latitude', 'x-order': 2 }),
  },
  { additionalProperties: false },
);

const Stop = Type.Object({
  point: Type.Integer({ minimum: 1, description: 'Place in the input.' }),
  name: Type.String(),
  x: Type.Number(),
  y: Type.Number(),
  leg: Type.Number({ minimum: 0, description: 'Distance from the stop before.' }),
});

export const about = describe({
  name: 'shortest-tour',
  title: 'Shortest tour',
  type: 'optimisation',
  tags: ['routes', 'travelling salesman'],
  version: '1.0.0',
  description:
    'Orders points so that visiting all of them is short (the travelling salesman). Up to 12 points exactly, by dynamic ' +
    'programming (Held and Karp, 1962); more by nearest neighbour, 2-opt and Or-opt moves and random restarts, which is ' +
    'usually within a few percent. A lower bound (Held and Karp, 1970) is answered with it, so that you know by how ' +
    'much the tour can be improved at most. Distances are straight lines in the plane or great circles on the earth: ' +
    'roads, traffic, opening hours and one-way streets are not known.',
  input: Type.Object(
    {
      points: Type.Array(Point, {
        title: 'Points',
        description: 'Coordinates in the plane, or longitude and latitude in degrees.',
        minItems: 2,
        maxItems: 200,
        'x-order': 0,
      }),
    },
    { additionalProperties: false },
  ),
  params: {
    distance: {
      type: 'string',
      default: 'plane',
      enum: ['plane', 'earth'],
      title: 'Distance',
      description:
        'plane: straight lines in the units of x and y. earth: kilometres between longitudes and latitudes.',
      'x-order': 0,
    },
    return_to_start: {
      type: 'boolean',
      default: true,
      title: 'Return',
      description: 'Whether the tour ends where it began. If not, it may begin and end anywhere.',
      'x-order': 1,
    },
    restarts: {
      type: 'integer',
      default: 200,
      min: 0,
      max: 500,
      title: 'Restarts',
      description: 'How often a good tour is disturbed and improved again; only for more than 12 points.',
      'x-order': 2,
      'x-advanced': true,
    },
    seed: seedParam,
  },
  output: Type.Object({
    length: Type.Number({ minimum: 0 }),
    lower_bound: Type.Number({ minimum: 0, description: 'No tour is shorter.' }),
    gap_percent: Type.Number({
      minimum: 0,
      description: 'The tour is at most this much longer than the shortest.',
    }),
    exact: Type.Boolean({ description: 'Whether it is certainly the shortest.' }),
    order: Type.Array(Type.Integer({ minimum: 1 }), { description: 'Points by their place in the input.' }),
    stops: Type.Array(Stop, {
      description: 'The tour; the first point comes again at the end when it returns.',
      ...shownAs({ kind: 'points', x: 'x', y: 'y', label: 'name', path: 'open' }),
    }),
  }),
  example: { points: CAPITALS },
  examples: [
    { name: 'Sixteen capitals', description: 'In degrees, as on a flat map.' },
    {
      name: 'Sixteen capitals, in kilometres',
      description: 'Along great circles, without returning.',
      params: { distance: 'earth', return_to_start: false },
    },
  ],
});
