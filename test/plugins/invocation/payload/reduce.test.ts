import { expect } from 'chai';
import type { CallRow } from '../../../../plugins/invocation/recording/call-row.ts';
import type { PayloadField, PayloadPolicy, PayloadRule } from '../../../../plugins/invocation/contract.ts';
import { reduce } from '../../../../plugins/invocation/payload/reduce.ts';
import { callRow } from '../support/rows.ts';

const store: PayloadRule = { mode: 'store', pointers: [] };
const drop: PayloadRule = { mode: 'drop', pointers: [] };
const hash: PayloadRule = { mode: 'hash', pointers: [] };
const redact = (...pointers: string[]): PayloadRule => ({ mode: 'redact', pointers });
const policyOf = (rules: Partial<PayloadPolicy>): PayloadPolicy => ({
  input_data: store,
  params: store,
  output_data: store,
  ...rules,
});
const digest = (text: string): string => `<${text}>`;
const reduced = (row: CallRow, rules: Partial<PayloadPolicy>) => {
  const { payload, ...rest } = reduce(row, policyOf(rules), digest);
  return { ...rest, payload: payload ? JSON.parse(payload) : null };
};

const whole = callRow({
  input_data: '{"n":1,"x":2}',
  params: '{"n":1,"x":2}',
  output_data: '{"n":1,"x":2}',
});
const fields: readonly PayloadField[] = ['input_data', 'params', 'output_data'];

describe('A record under a payload policy', () => {
  for (const field of fields) {
    for (const [rule, text, note] of [
      [store, '{"n":1,"x":2}', null],
      [redact('/n'), '{"n":"[redacted]","x":2}', { [field]: 'redacted' }],
      [redact('/absent', '/n/below'), '{"n":1,"x":2}', null],
      [hash, null, { [field]: 'hashed', digests: { [field]: 'hmac-sha256:<{"n":1,"x":2}>' } }],
      [drop, null, { [field]: 'dropped' }],
    ] as const) {
      it(`has of ${field} under ${JSON.stringify(rule)} ${text}, and all else as it was`, () => {
        const row = { ...whole, payload: note };
        expect(reduced(whole, { [field]: rule })).to.deep.equal({ ...row, [field]: text });
      });
    }
  }

  it('may have a different rule for each field', () => {
    expect(reduced(whole, { input_data: hash, params: drop, output_data: redact('/x') })).to.deep.include({
      input_data: null,
      params: null,
      output_data: '{"n":1,"x":"[redacted]"}',
      payload: {
        input_data: 'hashed',
        params: 'dropped',
        output_data: 'redacted',
        digests: { input_data: 'hmac-sha256:<{"n":1,"x":2}>' },
      },
    });
  });

  it('is redacted at every pointer, also below one that was redacted', () => {
    const row = callRow({ input_data: '{"a":{"b":1},"c":[{"d":1},{"d":2}],"e":3}' });
    const { input_data } = reduced(row, { input_data: redact('/a', '/a/b', '/c/*/d', '/none') });
    expect(input_data).to.equal('{"a":"[redacted]","c":[{"d":"[redacted]"},{"d":"[redacted]"}],"e":3}');
  });

  it('has one digest for equal payloads, however they are written', () => {
    const digestOf = (input_data: string) =>
      reduced(callRow({ input_data }), { input_data: hash }).payload.digests.input_data;
    expect(digestOf('{"a":1,"b":{"c":2,"d":3}}')).to.equal(digestOf('{"b":{"d":3,"c":2},"a":1}'));
    expect(digestOf('{"a":[1,2]}')).not.to.equal(digestOf('{"a":[2,1]}'));
  });

  it('has no note for an output that does not exist', () => {
    const failed = callRow({ status: 'failed', output_data: null });
    for (const rule of [redact('/n'), hash, drop]) {
      expect(reduced(failed, { output_data: rule })).to.deep.include({ output_data: null, payload: null });
    }
  });

  it('does not have the message of a failure, but its kind', () => {
    const failed = callRow({
      status: 'failed',
      error_code: 'upstream_rejected',
      error_message: 'The endpoint refused the call with status 422: "Ada Lovelace" is no number.',
      output_data: null,
    });
    const row = reduced(failed, { params: redact('/none') });
    expect(row.error_message).to.match(/^The endpoint refused the call\. .* not kept/);
    expect(row.payload).to.deep.equal({ error_message: 'redacted' });
    const odd = { ...failed, error_code: 'made_up' as never };
    expect(reduced(odd, { params: drop }).error_message).to.match(/^The call failed\. /);
  });

  it('drops a field that cannot be reduced', () => {
    const broken = callRow({ input_data: 'no JSON: Ada Lovelace' });
    for (const rule of [redact('/n'), hash]) {
      expect(reduced(broken, { input_data: rule })).to.deep.include({
        input_data: null,
        payload: { input_data: 'dropped' },
      });
    }
  });

  it('drops a field with an unknown mode', () => {
    const odd = { mode: 'shred', pointers: [] } as never;
    expect(reduced(whole, { input_data: odd })).to.deep.include({
      input_data: null,
      payload: { input_data: 'dropped' },
    });
  });
});
