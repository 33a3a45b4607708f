import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  CREATE_FIELDS,
  EDIT_FIELDS,
  everyScope,
  faultOf,
  faultOfName,
  lacking,
  notAllowed,
  notFound,
  refusal,
  type Answer,
  type Caller,
  type Fields,
  type Scope,
} from './fake-gitea-rules.ts';

/** Gitea counts seconds, and writes them in its own time zone. */
const CREATED_AT = '2026-01-31T13:00:00+01:00';

type NewRepository = Partial<FakeRepository> & { readonly auto_init?: boolean };

export interface FakeRepository {
  id: number;
  owner: string;
  name: string;
  description: string;
  private: boolean;
  default_branch: string;
  empty: boolean;
  created_at: string;
}

/** What goes wrong instead of an answer. */
export type Fault =
  | {
      readonly kind: 'status';
      readonly status: number;
      readonly body?: string;
      readonly headers?: Record<string, string>;
    }
  | { readonly kind: 'body'; readonly body: string }
  /** It does what is asked, and its answer lacks a field. */
  | { readonly kind: 'lacks'; readonly field: string }
  | { readonly kind: 'hang' }
  | { readonly kind: 'drop' }
  | { readonly kind: 'slow'; readonly ms: number };

export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: unknown;
}

/**
 * A Gitea server for tests, over real HTTP: the part of its REST API that repositories need, strict about methods,
 * paths, headers, bodies, names, scopes and rights, and with faults on demand.
 */
export class FakeGitea {
  readonly users = new Set<string>();
  /** Organisation → its members; `true` may make repositories there. */
  readonly organisations = new Map<string, Map<string, boolean>>();
  readonly tokens = new Map<string, Caller>();
  readonly repositories = new Map<string, FakeRepository>();
  /** Old full name in lower case → new full name. */
  readonly renamed = new Map<string, string>();
  readonly requests: SeenRequest[] = [];
  /** `POST /user/repos` → what goes wrong there; `*` is for every request. */
  readonly faults = new Map<string, Fault>();
  readonly #server: Server;
  #nextId = 1;
  url = '';

  constructor() {
    this.#server = createServer((request, response) => void this.#serve(request, response));
  }

  async start(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    this.url = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  /** Everything as on an empty server. */
  reset(): void {
    for (const part of [
      this.users,
      this.organisations,
      this.tokens,
      this.repositories,
      this.renamed,
      this.faults,
    ]) {
      part.clear();
    }
    this.requests.length = 0;
  }

  addUser(login: string, token: string, scopes: readonly Scope[] = everyScope): void {
    this.users.add(login);
    this.tokens.set(token, { login, scopes });
  }

  repository(fullName: string): FakeRepository | undefined {
    return this.repositories.get(fullName.toLowerCase());
  }

  /** Gives a repository another name. Its old one leads to it until another repository takes it. */
  rename(fullName: string, name: string): void {
    const repository = this.repository(fullName)!;
    this.repositories.delete(fullName.toLowerCase());
    repository.name = name;
    const renamed = `${repository.owner}/${name}`;
    this.repositories.set(renamed.toLowerCase(), repository);
    this.renamed.set(fullName.toLowerCase(), renamed);
  }

  /** Another repository takes a name. */
  take(fullName: string, id = this.#nextId++): void {
    const [owner = '', name = ''] = fullName.split('/');
    this.renamed.delete(fullName.toLowerCase());
    this.repositories.set(fullName.toLowerCase(), {
      id,
      owner,
      name,
      description: 'theirs',
      private: true,
      default_branch: 'main',
      empty: true,
      created_at: '2026-02-28T12:00:00Z',
    });
  }

  #nameOf(id: number): string {
    return [...this.repositories].find(([, repository]) => repository.id === id)?.[0] ?? '';
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const text = await bodyOf(request);
    const path = (request.url ?? '').replace(/^\/api\/v1/, '');
    const method = request.method ?? '';
    this.requests.push({
      method,
      path,
      headers: request.headers,
      body: text === '' ? undefined : parsed(text),
    });
    const fault = this.faults.get(`${method} ${path}`) ?? this.faults.get('*');
    if (fault && (await this.#goWrong(fault, response))) return;
    const location = request.url?.startsWith('/api/v1/') ? this.#movedTo(path) : undefined;
    if (location) return void response.writeHead(307, { location }).end();
    const { status, body: whole } = request.url?.startsWith('/api/v1/')
      ? this.#answer(method, path, request, text)
      : { status: 404, body: undefined };
    const body = fault?.kind === 'lacks' && whole ? { ...whole, [fault.field]: undefined } : whole;
    const fields = body === undefined ? {} : { 'content-type': 'application/json;charset=utf-8' };
    response.writeHead(status, fields).end(body === undefined ? '' : JSON.stringify(body));
  }

  async #goWrong(fault: Fault, response: ServerResponse): Promise<boolean> {
    switch (fault.kind) {
      case 'lacks':
        return false;
      case 'hang':
        return true;
      case 'drop':
        response.socket?.destroy();
        return true;
      case 'slow':
        await new Promise((resolve) => setTimeout(resolve, fault.ms));
        return false;
      case 'body':
        response.writeHead(200, { 'content-type': 'application/json' }).end(fault.body);
        return true;
      case 'status':
        response.writeHead(fault.status, fault.headers).end(fault.body ?? '');
        return true;
    }
  }

  #movedTo(path: string): string | undefined {
    const [, owner = '', name = ''] = /^\/repos\/([^/]+)\/([^/]+)$/.exec(path) ?? [];
    const target = this.renamed.get(`${owner}/${name}`.toLowerCase());
    return target === undefined ? undefined : `/api/v1/repos/${target}`;
  }

  #answer(method: string, path: string, request: IncomingMessage, text: string): Answer {
    if (path === '/version')
      return method === 'GET' ? { status: 200, body: { version: '1.23.4' } } : notAllowed;
    const caller = this.#caller(request);
    if (!caller) return refusal(401, 'invalid username, password or token');
    const body = text === '' ? undefined : parsed(text);
    if (body !== undefined && !/^application\/json\b/.test(request.headers['content-type'] ?? '')) {
      return refusal(422, 'Unsupported Content-Type');
    }
    return this.#route(`${method} ${path}`, caller, body) ?? { status: 404, body: { message: 'not found' } };
  }

  #route(call: string, caller: Caller, body: unknown): Answer | undefined {
    if (call === 'GET /user') return this.#user(caller);
    if (call === 'POST /user/repos') return this.#createForUser(caller, body);
    const [, asked] = /^GET \/orgs\/([^/]+)$/.exec(call) ?? [];
    if (asked) return this.#organisation(caller, decodeURIComponent(asked));
    const [, organisation] = /^POST \/orgs\/([^/]+)\/repos$/.exec(call) ?? [];
    if (organisation) return this.#createForOrganisation(caller, decodeURIComponent(organisation), body);
    const [, id] = /^GET \/repositories\/(\d+)$/.exec(call) ?? [];
    if (id) return this.#onRepository('GET', caller, this.#nameOf(Number(id)), undefined);
    const [, method, fullName] = /^(\w+) \/repos\/([^/]+\/[^/]+)$/.exec(call) ?? [];
    return method && fullName
      ? this.#onRepository(method, caller, decodeURIComponent(fullName), body)
      : undefined;
  }

  #caller(request: IncomingMessage): Caller | undefined {
    const [, token = ''] = /^(?:token|bearer) (\S+)$/i.exec(request.headers.authorization ?? '') ?? [];
    return this.tokens.get(token);
  }

  #user(caller: Caller): Answer {
    return (
      lacking(caller, 'read:user') ?? {
        status: 200,
        body: { id: 1, login: caller.login, username: caller.login },
      }
    );
  }

  #organisation(caller: Caller, name: string): Answer {
    const found = this.#organisationNamed(name);
    return (
      lacking(caller, 'read:organization') ??
      (found?.members.has(caller.login)
        ? { status: 200, body: { id: 2, name: found.name, username: found.name } }
        : notFound)
    );
  }

  #organisationNamed(name: string): { name: string; members: Map<string, boolean> } | undefined {
    for (const [known, members] of this.organisations) {
      if (known.toLowerCase() === name.toLowerCase()) return { name: known, members };
    }
    return undefined;
  }

  #createForUser(caller: Caller, body: unknown): Answer {
    return (
      lacking(caller, 'write:user') ?? lacking(caller, 'write:repository') ?? this.#create(caller.login, body)
    );
  }

  #createForOrganisation(caller: Caller, name: string, body: unknown): Answer {
    const refused = lacking(caller, 'write:organization');
    if (refused) return refused;
    const organisation = this.#organisationNamed(name);
    if (!organisation?.members.has(caller.login)) return notFound;
    if (organisation.members.get(caller.login) !== true) {
      return refusal(403, 'Given user is not allowed to create repository in organization.');
    }
    return this.#create(organisation.name, body);
  }

  #create(owner: string, body: unknown): Answer {
    const fault = faultOf(body, CREATE_FIELDS);
    if (fault) return refusal(422, fault);
    const {
      name = '',
      description = '',
      auto_init,
      default_branch = 'main',
      ...wanted
    } = body as NewRepository;
    const nameFault = faultOfName(name);
    if (nameFault) return refusal(422, nameFault);
    if (description.length > 2048) return refusal(422, '[Description]: MaxSize');
    if (this.repository(`${owner}/${name}`))
      return refusal(409, 'The repository with the same name already exists.');
    const repository: FakeRepository = {
      id: this.#nextId++,
      owner,
      name,
      description,
      private: wanted.private ?? false,
      default_branch,
      empty: auto_init !== true,
      created_at: CREATED_AT,
    };
    this.repositories.set(`${owner}/${name}`.toLowerCase(), repository);
    this.renamed.delete(`${owner}/${name}`.toLowerCase());
    return { status: 201, body: this.#shown(repository) };
  }

  #onRepository(method: string, caller: Caller, fullName: string, body: unknown): Answer {
    const refused = lacking(caller, method === 'GET' ? 'read:repository' : 'write:repository');
    if (refused) return refused;
    const repository = this.repository(fullName);
    const isOwner = repository && this.#owns(caller.login, repository.owner);
    if (!repository || (!isOwner && repository.private)) return notFound;
    if (method === 'GET') return { status: 200, body: this.#shown(repository) };
    if (!isOwner) return refusal(403, 'user should be an owner of the repo');
    if (method === 'DELETE') {
      this.repositories.delete(fullName.toLowerCase());
      return { status: 204 };
    }
    return method === 'PATCH' ? this.#edit(repository, body) : notAllowed;
  }

  #edit(repository: FakeRepository, body: unknown): Answer {
    const fault = faultOf(body, EDIT_FIELDS);
    if (fault) return refusal(422, fault);
    const { description = repository.description, private: isPrivate = repository.private } =
      body as Partial<FakeRepository>;
    Object.assign(repository, { description, private: isPrivate });
    return { status: 200, body: this.#shown(repository) };
  }

  #owns(login: string, owner: string): boolean {
    return login === owner || this.organisations.get(owner)?.get(login) === true;
  }

  #shown(repository: FakeRepository): Fields {
    const { id, owner, name, description, default_branch, empty, created_at } = repository;
    const full_name = `${owner}/${name}`;
    return {
      id,
      owner: { id: 1, login: owner, username: owner },
      name,
      full_name,
      description,
      empty,
      private: repository.private,
      fork: false,
      template: false,
      mirror: false,
      size: 0,
      html_url: `${this.url}/${full_name}`,
      ssh_url: `git@127.0.0.1:${full_name}.git`,
      clone_url: `${this.url}/${full_name}.git`,
      default_branch,
      archived: false,
      created_at,
      updated_at: created_at,
      permissions: { admin: true, push: true, pull: true },
    };
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}
