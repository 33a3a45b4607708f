import type { Client } from './client.ts';

/** Makes so many algorithms, of which a page of a hundred has some 34 KB, or so many characters each. */
export async function fillCatalogue(admin: Client, count: number, characters = 0): Promise<void> {
  for (let number = 1; number <= count; number += 1) {
    const description = `Looks at pictures and says what is on them, in its own way, which is number ${number}.`;
    await admin.post('/algorithms', {
      name: `Algorithm ${number}`,
      description: description.padEnd(characters, ' It goes on to say so.'),
      type: 'computer_vision',
    });
  }
}
