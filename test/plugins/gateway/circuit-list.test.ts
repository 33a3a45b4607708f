import { expect } from 'chai';
import { DATABASE } from '../../../core/index.ts';
import { onEveryEngine, systemClock } from '../../../core/testing.ts';
import { startUpstream } from '../../support/upstream.ts';
import { until } from '../../support/until.ts';
import { startGateway, startPeer, type GatewayUnderTest } from './support.ts';
import { migratedScratch } from '../../support/databases/migrated-scratch.ts';

const UNKNOWN = '01890a5d-ac96-774b-bcce-b302099a8057';
const OPEN_MS = 60_000;
const SETTINGS = { breaker_failures: 2, breaker_open_ms: OPEN_MS };

const startBroken = () => startUpstream((_request, response) => response.writeHead(500).end());

onEveryEngine((engine) => {
  describe('the list of circuits', () => {
    let gateway: GatewayUnderTest;
    /** By how much the monotonic clock was moved, by which circuits measure their open time. */
    let ahead = 0;
    before(async () => {
      const clock = { ...systemClock, elapsed: () => systemClock.elapsed() + ahead };
      gateway = await startGateway(engine, {
        plugins: ['users', 'catalogue', 'invocation', 'gateway', 'audit'],
        upstream: await startBroken(),
        gateway: SETTINGS,
        clock,
      });
    });
    after(() => gateway.stop());

    const list = () => gateway.manage('GET', '/gateway/circuits');

    it('has those that are not closed, with why and until when', async () => {
      await gateway.renew();
      await gateway.call();
      expect(await list()).to.deep.equal({ circuits: [], total: 0 });
      await gateway.call();
      const { circuits, total } = await list();
      expect(total).to.equal(1);
      expect(circuits[0]).to.deep.include({
        ...gateway.target,
        state: 'open',
        failures: 2,
        last_error_code: 'upstream_error',
      });
      const { opened_at, retry_at } = circuits[0];
      expect(Date.parse(retry_at) - Date.parse(opened_at)).to.be.within(OPEN_MS * 0.9, OPEN_MS * 1.3);
      ahead += 2 * OPEN_MS;
      expect((await list()).circuits[0]).to.deep.include({ state: 'half_open', retry_at: null });
      await gateway.call();
      expect((await list()).circuits[0]).to.deep.include({ state: 'open', failures: 3, opened_at });
    });

    it('loses one that is closed by hand, after which calls are sent again', async () => {
      await gateway.renew();
      for (let i = 0; i < 3; i += 1) await gateway.call();
      const { total } = await list();
      const sent = gateway.upstream.requests.length;
      await gateway.manage('DELETE', `/gateway/circuits/${gateway.target.version_id}`);
      expect((await list()).total).to.equal(total - 1);
      expect((await gateway.call()).body.error_code).to.equal('upstream_error');
      expect(gateway.upstream.requests.length).to.equal(sent + 1);
    });

    it('is closed by hand only for a version that exists, whose label the audit trail names', async () => {
      const of = (id: string) =>
        gateway.request('DELETE', `/gateway/circuits/${id}`, { token: gateway.adminToken });
      const recorded = () =>
        gateway
          .get(DATABASE)
          .knex('audit_entries')
          .where({ action: 'gateway_circuit.reset' })
          .select('target_id', 'target_name');
      const before = (await recorded()).length;
      for (const id of [UNKNOWN, 'nonsense']) {
        const { status, body } = await of(id);
        expect([status, body.code]).to.deep.equal([404, 'version_not_found']);
      }
      expect(await recorded()).to.have.length(before);
      await gateway.renew();
      expect((await of(gateway.target.version_id)).status).to.equal(200);
      expect(await recorded()).to.deep.include({ target_id: gateway.target.version_id, target_name: '1' });
    });
  });
});

describe('a circuit that is open on another instance', () => {
  it('is closed by hand from here', async () => {
    const scratch = await migratedScratch('postgres');
    const one = await startGateway('postgres', { scratch, upstream: await startBroken(), gateway: SETTINGS });
    const other = await startPeer(scratch, 'postgres', SETTINGS);
    const token = one.caller.token;
    for (let i = 0; i < 2; i += 1) await other.request('POST', '/gateway/call', { token, body: one.body() });
    const code = async () =>
      (await other.request('POST', '/gateway/check', { token, body: one.target })).body.code;
    const before = await code();
    await one.manage('DELETE', `/gateway/circuits/${one.target.version_id}`);
    await until(async () => (await code()) === null);
    await other.stop();
    await one.stop();
    await scratch.remove();
    expect(before).to.equal('circuit_open');
  });
});
