import { expect } from 'chai';
import type { TestResponse } from '../../core/testing.ts';
import { ApiDocument } from './support/api-document.ts';
import { generalFaults } from './support/every-answer.ts';

const document = new ApiDocument({
  paths: {
    '/things/{id}': {
      get: {
        responses: {
          '200': { content: { 'application/json': { schema: { $ref: '#/components/schemas/Thing' } } } },
          '404': { $ref: '#/components/responses/ThingNotFound' },
        },
      },
    },
  },
  components: {
    responses: {
      ThingNotFound: {
        content: {
          'application/problem+json': { schema: { properties: { code: { enum: ['thing_not_found'] } } } },
        },
      },
    },
    schemas: { Thing: { type: 'object', required: ['at'], properties: { at: { format: 'date-time' } } } },
  },
});

const answer = (status: number, body: unknown, type = 'application/json', more = {}): TestResponse => ({
  status,
  body,
  headers: { 'content-type': type, ...more },
});
const PROBLEM = 'application/problem+json';
const at = '2026-01-31T00:00:00.000Z';

describe('conformance: what holds answers against the document', () => {
  const deviations = (given: TestResponse, path = '/things/1?x=1') => document.deviations('GET', path, given);

  it('finds nothing where there is nothing', () => {
    expect(deviations(answer(200, { at }))).to.deep.equal([]);
    expect(deviations(answer(404, { code: 'thing_not_found' }, PROBLEM))).to.deep.equal([]);
  });

  for (const [what, given] of [
    ['a missing field', answer(200, {})],
    ['a field of another format', answer(200, { at: 'today' })],
    ['a status', answer(201, { at })],
    ['a media type', answer(200, { at }, 'text/plain')],
    ['a header', answer(200, { at }, 'application/json', { 'x-thing': '1' })],
    ['a code', answer(404, { code: 'other' }, PROBLEM)],
  ] as const) {
    it(`finds ${what} that is not declared`, () => expect(deviations(given)).to.have.length(1));
  }

  it('finds an operation that is not declared', () => {
    expect(deviations(answer(200, { at }), '/others')).to.have.length(1);
  });

  it('finds what breaks the rules of every answer', () => {
    const bare = generalFaults('GET', '/things', true, answer(500, { status: 404 }, PROBLEM));
    expect(bare).to.include.members([
      'x-content-type-options is not nosniff',
      'x-request-id is missing',
      'cache-control is not no-store',
      '500 is not a status of this service',
      'status differs from the one of the answer',
    ]);
    expect(generalFaults('GET', '/x', false, answer(401, {}))).to.include('www-authenticate is missing');
    expect(generalFaults('GET', '/x', false, answer(400, {}))).to.include('is not a problem document');
  });
});
