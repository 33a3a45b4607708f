import { expect } from 'chai';
import { modelCheck } from '../../../plugins/llm/doctor.ts';

describe('The doctor, on the language model', () => {
  const examined = (backend: string) =>
    modelCheck.check({ backends: {}, settings: { backend, base_url: '' } } as never);

  it('finds the stand-in in order', async () => {
    for (const backend of ['auto', 'offline'])
      expect((await examined(backend)).map(({ state }) => state)).to.deep.equal(['ok']);
  });

  it('warns of a model that only another plugin can add', async () => {
    const [finding] = await examined('parrot');
    expect(finding).to.include({ state: 'warning' });
    expect(finding!.message).to.contain('"parrot" (LLM_BACKEND) is none of the service');
  });
});
