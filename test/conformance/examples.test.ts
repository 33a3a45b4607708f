import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { DATABASE } from '../../core/index.ts';
import { builtInPlugins, onEveryEngine } from '../../core/testing.ts';
import { PASSWORD_RESETS } from '../../plugins/users/links/password-resets.ts';
import { FakeGitea } from '../support/fake-gitea.ts';
import { freePort } from '../support/free-port.ts';
import { CLIENT_ID, CLIENT_SECRET, IdentityProvider } from '../support/identity-provider.ts';
import { startMailbox, tokenIn, type Mailbox } from '../support/mailbox.ts';
import { OPERATIONS_IN_ORDER } from '../support/operations-in-order.ts';
import { startVitrine, type Vitrine } from '../support/vitrine.ts';
import { ApiDocument } from './support/api-document.ts';

const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const GITEA_TOKEN = 'gitea-token-0123456789';

/** Operations with another method than GET that change nothing of which the audit trail should know, with the reason. */
const NOT_AUDITED: Readonly<Record<string, string>> = {
  callAlgorithm: 'a call has a record of its own',
  callThroughGateway: 'a call has a record of its own',
  checkGateway: 'a dry run',
  checkPermission: 'a question',
  importCatalogue: 'the example is a dry run; an import records each of its changes',
  beginSignIn: 'its end is recorded',
  endSession: 'ends the session of a cookie, which the request has not',
  testCodeHosting: 'a question to the server',
  generateData: 'an answer of the language model, which is not kept',
  describeImage: 'an answer of the language model, which is not kept',
};

interface Described {
  readonly method: string;
  readonly path: string;
  readonly operation: any;
}

onEveryEngine((engine) => {
  describe('conformance: the examples of the document, sent as they are', () => {
    const gitea = new FakeGitea();
    const corp = new IdentityProvider();
    const answers: Record<string, any> = {};
    /** The ids that the links of an answer told, by the name of the parameter. */
    const told: Record<string, string> = {};
    let vitrine: Vitrine;
    let pictures: Server;
    let picture: string;
    let document: any;
    let api: ApiDocument;
    let operations: Map<string, Described>;
    let secondUser: string;
    let mailbox: Mailbox;

    before(async () => {
      await gitea.start();
      gitea.addUser('vitrine', GITEA_TOKEN);
      gitea.organisations.set('team', new Map([['vitrine', true]]));
      pictures = createServer((_, response) => {
        response.writeHead(200, { 'content-type': 'image/png' }).end(PIXEL);
      });
      await new Promise<void>((resolve) => pictures.listen(0, '127.0.0.1', resolve));
      const { port } = pictures.address() as AddressInfo;
      picture = `http://127.0.0.1:${port}/pixel.png`;
      mailbox = await startMailbox();
      const own = await freePort();
      await corp.start();
      corp.admit([`http://127.0.0.1:${own}`], ['corporate']);
      corp.add('ada', { email: 'ada@example.org', email_verified: true });
      const provider = {
        id: 'corporate',
        name: 'Corporate',
        issuer: corp.issuer,
        client_id: CLIENT_ID,
        link_by_email: true,
      };
      vitrine = await startVitrine(engine, {
        plugins: (await builtInPlugins()).map(({ id }) => id),
        settings: {
          oidc: { providers: [provider], client_secrets: [`corporate=${CLIENT_SECRET}`] },
          egress: { allow: [`127.0.0.1:${port}`] },
          users: { smtp_url: mailbox.url, mail_from: 'vitrine@example.org' },
          server: { port: own, public_url: `http://127.0.0.1:${own}` },
        },
      });
      document = (await vitrine.request('GET', '/openapi.json')).body;
      api = new ApiDocument(document);
      operations = new Map(operationsOf(document).map((one) => [one.operation.operationId, one]));
    });
    after(async () => {
      await vitrine?.stop();
      await mailbox.stop();
      pictures.close();
      await gitea.stop();
      await corp.stop();
    });

    it('are those of every operation', () => {
      expect([...operations.keys()]).to.have.members(OPERATIONS_IN_ORDER);
    });

    /** What an example cannot know: ids and addresses of this installation. */
    const replaced = async (operationId: string): Promise<object> => {
      switch (operationId) {
        case 'createGrant':
          return { user_id: secondUser };
        case 'finishSignIn':
          return { query: await corp.signIn(answers['beginSignIn'].url, 'ada') };
        case 'confirmPasswordReset':
          return { token: tokenIn(answers['resetUserPassword'].url) };
        case 'describeImage':
          return { image_url: picture };
        case 'saveCodeHostingConfiguration':
          return { server_url: gitea.url, access_token: GITEA_TOKEN };
        // Their examples send what is stored, and a change without effect is not recorded.
        case 'changeUser':
          return { email: 'eve@example.net' };
        case 'changeCurrentUser':
          return { email: 'ada@example.net' };
        case 'updateGatewayBlock':
          return { reason: 'Sends too much' };
        case 'updateRepository':
          return { description: 'Changed' };
        case 'updateVersion':
          return { version: '9.9.9' };
        default:
          return {};
      }
    };

    /** What an operation needs beyond the examples of those before it. */
    const prepare = async (operationId: string): Promise<void> => {
      if (operationId === 'getUser') {
        const body = { username: 'eve', email: 'eve@example.org', password: 'nine quiet rivers' };
        secondUser = (await vitrine.request('POST', '/users/register', { body })).body.id;
      }
      if (operationId === 'listUserSessions') {
        const body = { username: 'eve', password: 'nine quiet rivers' };
        await vitrine.request('POST', '/users/login', { body });
      }
      if (['signOutOfProvider', 'endAllSessions'].includes(operationId)) {
        const body = { username: 'ada', password: 'eight quiet rivers' };
        answers['changePassword'] = (await vitrine.request('POST', '/users/login', { body })).body;
      }
      if (operationId === 'deleteCurrentUser') {
        // The first account is the last administrator, who stays.
        const body = { username: 'mary', email: 'mary@example.org', password: 'seven quiet rivers' };
        await vitrine.request('POST', '/users/register', { body });
        answers['changePassword'] = (await vitrine.request('POST', '/users/login', { body })).body;
      }
      if (operationId === 'promoteGatewayCanary') {
        const { path } = operations.get('setGatewayRoute')!;
        const [stable] = answers['setGatewayRoute'].versions;
        const shares = [
          { version_id: stable.version_id, percent: 90 },
          { version_id: answers['createVersion'].id, percent: 10 },
        ];
        await ask('PUT', path.replace('{algorithm_id}', answers['setGatewayRoute'].algorithm_id), {
          versions: shares,
        });
      }
    };

    const token = (): string => (answers['changePassword'] ?? answers['loginUser'])?.access_token;
    /** The one of `beginSignIn`. */
    let cookie: string | undefined;
    const ask = (method: string, path: string, body?: object) =>
      vitrine.request(method, path, {
        ...(body && { body }),
        ...(token() && { token: token() }),
        ...(cookie && { headers: { cookie } }),
      });

    const expectAudited = async (operationId: string, request_id: string): Promise<void> => {
      // A request for a link is recorded after its answer, whose time must not tell whether there is an account.
      await vitrine.get(PASSWORD_RESETS).settled();
      const { knex } = vitrine.get(DATABASE);
      const entries = await knex('audit_entries').where({ request_id, outcome: 'success' });
      expect(entries.length > 0, 'recorded in the audit trail').to.equal(!(operationId in NOT_AUDITED));
    };

    for (const operationId of OPERATIONS_IN_ORDER) {
      it(operationId, async () => {
        const { method, path, operation } = operations.get(operationId)!;
        await prepare(operationId);
        const example = operation.requestBody?.content['application/json'].example;
        const body = example && { ...example, ...(await replaced(operationId)) };
        const isOfCreated = ['resetUserPassword', 'deleteUser'].includes(operationId);
        const user = isOfCreated ? answers['createUser'].id : secondUser;
        const filled = fill(path, operation, document, (name) => (name === 'user_id' ? user : told[name]!));
        const answer = await ask(method, filled, body);
        expect(answer.status, JSON.stringify(answer.body)).to.equal(200);
        expect(api.deviations(method, filled, answer)).to.deep.equal([]);
        if (answer.body.error_code !== undefined) expect(answer.body.status).to.equal('success');
        answers[operationId] = answer.body;
        if (operationId === 'beginSignIn') cookie = answer.headers['set-cookie']?.split(';')[0];
        Object.assign(told, linkedIds(operation, answer.body));
        if (method === 'GET') return;
        await expectAudited(operationId, String(answer.headers['x-request-id']));
      });
    }
  });
});

function operationsOf(document: any): Described[] {
  return Object.entries<any>(document.paths).flatMap(([path, item]) =>
    Object.entries<any>(item).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path,
      operation,
    })),
  );
}

/** What the links of an operation find in its answer. */
function linkedIds(operation: any, body: any): Record<string, string> {
  const links = Object.values<any>(operation.responses['200'].links ?? {});
  const told = links.flatMap(({ parameters }) => Object.entries<string>(parameters));
  return Object.fromEntries(
    told.map(([name, expression]) => {
      const steps = expression.replace('$response.body#/', '').split('/');
      return [name, steps.reduce((value, step) => value[step], body)];
    }),
  );
}

/** The path with the examples of its parameters, and the query with those that have one. */
function fill(path: string, operation: any, document: any, answered: (name: string) => string): string {
  const parameters = (operation.parameters ?? []).map((one: any) =>
    one.$ref ? document.components.parameters[one.$ref.split('/').at(-1)] : one,
  );
  const example = (name: string) => parameters.find((one: any) => one.name === name).example;
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => example(name) ?? answered(name));
  const query = parameters.filter((one: any) => one.in === 'query' && one.example !== undefined);
  const search = new URLSearchParams(query.map((one: any) => [one.name, String(one.example)]));
  return search.size > 0 ? `${filled}?${search}` : filled;
}
