import type { AccountClient } from '../service-client.ts';

const TYPES = ['computer_vision', 'nlp', 'data_analysis', 'computer_vision', 'text'];
const STATUSES = ['active', 'active', 'active', 'deprecated', 'inactive'];
const TAGS = 40;

/** Writes algorithms, and returns their ids. A page of a hundred of them has some 34 KB. */
export async function fillCatalogue(admin: AccountClient, count: number): Promise<readonly string[]> {
  const ids: string[] = [];
  for (let number = 1; number <= count; number += 1) {
    const { id } = await admin.post<{ id: string }>('/algorithms', {
      name: `Algorithm ${number}`,
      description: `Looks at pictures and names what is on them, in its own way, which is number ${number}.`,
      type: TYPES[number % TYPES.length],
      status: STATUSES[number % STATUSES.length],
      tags: [`tag ${number % TAGS}`, `group ${number % 7}`],
    });
    ids.push(id);
  }
  return ids;
}
