import { expect } from 'chai';
import { ValidationFailed } from '../../../core/index.ts';
import { onEveryEngine } from '../../../core/testing.ts';
import { CATALOGUE_EXPORT } from '../../../plugins/catalogue/portable/export.ts';
import { CATALOGUE_IMPORT, type ImportOptions } from '../../../plugins/catalogue/portable/import.ts';
import type { PortableCatalogue } from '../../../plugins/catalogue/portable/schemas.ts';
import { startVitrine, type SignedIn, type Vitrine } from '../../support/vitrine.ts';
import { emptyCatalogue } from './support/empty-catalogue.ts';

const PLUGINS = ['catalogue', 'users', 'api-keys', 'invocation', 'gateway', 'audit'];
const by = { kind: 'command', name: 'import' } as const;

const OF_LANGUAGE = {
  name: 'Few at once',
  subject: 'algorithm',
  subject_name: 'Language',
  limit: null,
  window_s: 60,
  concurrency: 2,
  enabled: true,
} as const;
const OF_GRACE = {
  name: 'Slowly, please',
  subject: 'user',
  subject_name: 'grace',
  limit: 5,
  window_s: 10,
  concurrency: null,
  enabled: false,
} as const;
const OF_EACH_KEY = {
  name: 'Keys',
  subject: 'api_key',
  limit: 100,
  window_s: 60,
  concurrency: null,
  enabled: true,
} as const;
const GATEWAY = { policies: [OF_EACH_KEY, OF_LANGUAGE, OF_GRACE] };
const PAYLOAD = {
  algorithm: 'Language',
  input_data: { mode: 'redact', pointers: ['/text'] },
  params: { mode: 'store' },
  output_data: { mode: 'drop' },
} as const;
const INVOCATION = { payload_policies: [PAYLOAD] };

/** A catalogue of two algorithms as a file, with sections. */
function file(sections: object): PortableCatalogue {
  const algorithms = ['Language', 'Plain'].map((name) => ({ name, description: '', type: 'nlp' }));
  return { vitrine: 1, algorithms, sections: sections as PortableCatalogue['sections'] };
}

describe('Policies in the file of a catalogue', () => {
  onEveryEngine((engine) => {
    let vitrine: Vitrine;
    let admin: SignedIn;

    const start = async (): Promise<void> => {
      vitrine = await startVitrine(engine, { plugins: PLUGINS });
      admin = await vitrine.admin();
      await vitrine.user('grace');
    };
    const empty = async (): Promise<void> => {
      await emptyCatalogue(vitrine);
      const { policies } = await ask('GET', '/gateway/policies');
      for (const { id } of policies) await ask('DELETE', `/gateway/policies/${id}`);
    };

    const ask = async (method: string, path: string, body?: object, status = 200) => {
      const answer = await vitrine.request(method, path, { token: admin.token, body });
      expect(answer.status, JSON.stringify(answer.body)).to.equal(status);
      return answer.body;
    };
    const bring = async (
      content: object,
      options: Partial<ImportOptions> = {},
    ): Promise<readonly string[]> => {
      const imported = vitrine.get(CATALOGUE_IMPORT);
      const read = await imported.read(JSON.stringify(content), { skipUnknown: false });
      const { changes } = await imported.run(read, { dryRun: false, prune: false, by, ...options });
      return changes.map(
        ({ action, what, fields }) => `${action} ${what}${fields ? `: ${fields.join(', ')}` : ''}`,
      );
    };
    const refusal = async (sections: object): Promise<string> => {
      try {
        await bring(file(sections));
      } catch (error) {
        if (ValidationFailed.is(error)) return error.message;
        throw error;
      }
      throw new Error('The import was not refused.');
    };
    const exported = (): Promise<PortableCatalogue> => vitrine.get(CATALOGUE_EXPORT).collect();

    before(start);
    after(() => vitrine.stop());
    afterEach(empty);

    it('are created by the names of what they are about, hold at once, and are written as they were read', async () => {
      expect(await bring(file({ gateway: GATEWAY, invocation: INVOCATION }))).to.deep.equal([
        'create algorithm "Language"',
        'create algorithm "Plain"',
        'create payload policy of algorithm "Language"',
        'create policy for each API key without one of its own',
        'create policy for the algorithm "Language"',
        'create policy for the user "grace"',
      ]);
      const { sections } = await exported();
      expect(sections).to.deep.equal({ invocation: INVOCATION, gateway: GATEWAY });
      const { algorithms } = await ask('GET', '/algorithms');
      const language = algorithms.find(({ name }: { name: string }) => name === 'Language');
      const { policies } = await ask('GET', '/gateway/policies');
      expect(policies.map(({ subject_id }: { subject_id: string }) => subject_id)).to.include(language.id);
      const payload = await ask('GET', `/algorithms/${language.id}/payload-policy`);
      expect(payload).to.deep.include({ input_data: PAYLOAD.input_data, updated_by: null });
      const { entries } = await ask('GET', '/audit?actor=import');
      expect(entries.map(({ action }: { action: string }) => action)).to.include.members([
        'gateway_policy.create',
        'payload_policy.update',
      ]);
    });

    it('are the same on another installation, where importing them again changes nothing', async () => {
      await bring(file({ gateway: GATEWAY, invocation: INVOCATION }));
      const first = await exported();
      await vitrine.stop();
      await start();
      await bring(first);
      expect(await exported()).to.deep.equal(first);
      expect(await bring(first, { prune: true })).to.deep.equal([]);
    });

    it('change only where they differ; what the file leaves out stays', async () => {
      await bring(file({ gateway: GATEWAY, invocation: INVOCATION }));
      const changed = file({
        gateway: { policies: [{ name: OF_GRACE.name, subject: 'user', subject_name: 'Grace', limit: 7 }] },
        invocation: { payload_policies: [{ algorithm: 'Language', output_data: { mode: 'hash' } }] },
      });
      const changes = [
        'update payload policy of algorithm "Language": output_data',
        'update policy for the user "Grace": limit',
      ];
      expect(await bring(changed, { dryRun: true })).to.deep.equal(changes);
      expect((await exported()).sections).to.deep.equal({ gateway: GATEWAY, invocation: INVOCATION });
      expect(await bring(changed)).to.deep.equal(changes);
      expect((await exported()).sections).to.deep.equal({
        gateway: { policies: [OF_EACH_KEY, OF_LANGUAGE, { ...OF_GRACE, limit: 7 }] },
        invocation: { payload_policies: [{ ...PAYLOAD, output_data: { mode: 'hash' } }] },
      });
    });

    it('are deleted with --prune where the file does not name them, but for that of a single API key', async () => {
      await bring(file({ gateway: GATEWAY, invocation: INVOCATION }));
      const key = await ask('POST', '/api-keys', { name: 'Night batch', expires_at: '2027-06-01T00:00:00Z' });
      await ask('POST', '/gateway/policies', {
        name: 'Night',
        subject: 'api_key',
        subject_id: key.id,
        limit: 1,
      });
      expect((await exported()).sections['gateway']).to.deep.equal(GATEWAY);
      const fewer = file({ gateway: { policies: [OF_EACH_KEY] } });
      expect(await bring(fewer)).to.deep.equal([]);
      expect(await bring(fewer, { prune: true })).to.have.members([
        'delete payload policy of algorithm "Language"',
        'delete policy for the algorithm "Language"',
        'delete policy for the user "grace"',
      ]);
      const { policies } = await ask('GET', '/gateway/policies');
      expect(policies.map(({ name }: { name: string }) => name)).to.have.members(['Keys', 'Night']);
    });

    it('are refused with a sentence that names them, before anything is changed', async () => {
      const refused: readonly (readonly [string, object, string])[] = [
        [
          'an account that does not exist',
          { gateway: { policies: [{ ...OF_GRACE, subject_name: 'nobody' }] } },
          'a policy names the account "nobody", which does not exist here. Create it, or take the policy out',
        ],
        [
          'an algorithm that does not exist',
          { gateway: { policies: [{ ...OF_LANGUAGE, subject_name: 'Nothing' }] } },
          'a policy names the algorithm "Nothing", which neither the file nor this catalogue has',
        ],
        [
          'a single API key',
          { gateway: { policies: [{ ...OF_EACH_KEY, subject_name: 'Night batch' }] } },
          'a policy names the API key "Night batch", but keys are not handed on',
        ],
        [
          'one subject with two policies',
          { gateway: { policies: [OF_GRACE, { ...OF_GRACE, subject_name: 'GRACE' }] } },
          'the policy for the user "GRACE" stands there a second time',
        ],
        [
          'a new algorithm with two policies',
          { gateway: { policies: [OF_LANGUAGE, OF_LANGUAGE] } },
          'the policy for the algorithm "Language" stands there a second time',
        ],
        [
          'a policy without a limit',
          { gateway: { policies: [{ ...OF_GRACE, limit: null }] } },
          'the policy for the user "grace" is not possible: A policy needs `limit`',
        ],
        [
          'an unknown field',
          { gateway: { policies: [{ ...OF_GRACE, subject_id: 'x' }] } },
          '/sections/gateway/policies/0',
        ],
        [
          'a payload policy of an algorithm that does not exist',
          { invocation: { payload_policies: [{ ...PAYLOAD, algorithm: 'Nothing' }] } },
          'The payload policy of algorithm "Nothing" is for an algorithm that neither the file nor this catalogue has',
        ],
        [
          'two payload policies of one algorithm',
          { invocation: { payload_policies: [PAYLOAD, PAYLOAD] } },
          'The payload policy of algorithm "Language" stands there a second time',
        ],
        [
          'a pointer that is none',
          {
            invocation: {
              payload_policies: [{ ...PAYLOAD, params: { mode: 'redact', pointers: ['text'] } }],
            },
          },
          'The payload policy of algorithm "Language" is invalid: ',
        ],
      ];
      for (const [what, sections, why] of refused) {
        expect(await refusal(sections), what).to.contain(why);
      }
      expect(await exported()).to.deep.equal({ vitrine: 1, algorithms: [], sections: {} });
    });
  });
});
