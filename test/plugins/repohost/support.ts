import type { Engine } from '../../../core/index.ts';
import { FakeGitea } from '../../support/fake-gitea.ts';
import { startVitrine, type Vitrine } from '../../support/vitrine.ts';
import { impatientConnections } from './timeout.ts';

export const TOKEN = 'gitea-token-0123456789abcdef';

/** The service beside a Gitea server. */
export class Stage {
  readonly gitea = new FakeGitea();
  vitrine!: Vitrine;
  admin = '';
  user = '';

  async open(engine: Engine): Promise<void> {
    await this.gitea.start();
    this.vitrine = await startVitrine(engine, {
      plugins: ['users', 'catalogue', 'repositories', 'repohost'],
      services: [impatientConnections],
    });
    this.admin = (await this.vitrine.admin()).token;
    this.user = (await this.vitrine.user('ann')).token;
  }

  async close(): Promise<void> {
    await this.vitrine.stop();
    await this.gitea.stop();
  }

  /** An empty server that knows the token, and the service configured for it. */
  async reset(changes: object = {}): Promise<void> {
    this.gitea.reset();
    this.gitea.addUser('robot', TOKEN);
    await this.ask('DELETE', '/config');
    await this.configure({
      server_url: this.gitea.url,
      access_token: TOKEN,
      repo_prefix: 'algo-',
      ...changes,
    });
  }

  ask(method: string, path: string, body?: unknown, token = this.admin) {
    return this.vitrine.request(method, `/repohost${path}`, {
      token,
      ...(body === undefined ? {} : { body }),
    });
  }

  configure(body: object) {
    return this.ask('POST', '/config', body);
  }

  async algorithm(name = 'edges'): Promise<string> {
    const body = { name, description: 'finds edges', type: 'computer_vision' };
    const { body: made } = await this.vitrine.request('POST', '/algorithms', { token: this.admin, body });
    return made.id as string;
  }

  create(algorithm_id: string, more: object = {}) {
    return this.ask('POST', '/repos/create', {
      algorithm_id,
      algorithm_name: 'Edges',
      description: 'Finds edges.',
      ...more,
    });
  }

  async entries(algorithmId: string) {
    const path = `/repositories?algorithm_id=${algorithmId}`;
    return (await this.vitrine.request('GET', path, { token: this.user })).body.repositories;
  }

  deleteEntry(id: string, query = '') {
    return this.vitrine.request('DELETE', `/repositories/${id}${query}`, { token: this.admin });
  }
}
