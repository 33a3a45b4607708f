/** A process that dies as soon as its change is committed: whoever remembers here is told first of all. */
import { openAt } from './support.ts';

const [url = '', topic = '', key = ''] = process.argv.slice(2);
const database = await openAt(url);
database.invalidation.subscribe(topic, () => process.kill(process.pid, 'SIGKILL'));
await database.transaction(async (trx) => {
  await trx('shop_items').insert({ id: key, name: key });
  database.invalidation.publish(trx, topic, key);
});
