import type { Client } from './client.ts';

/** Makes so many algorithms, of which a page of a hundred has some 34 KB. */
export async function fillCatalogue(admin: Client, count: number): Promise<void> {
  for (let number = 1; number <= count; number += 1) {
    await admin.post('/algorithms', {
      name: `Algorithm ${number}`,
      description: `Looks at pictures and says what is on them, in its own way, which is number ${number}.`,
      type: 'computer_vision',
    });
  }
}
