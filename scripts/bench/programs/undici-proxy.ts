import { bareProxy } from '../support/bare-proxy.ts';
import { listen } from '../support/told-port.ts';

listen(bareProxy(process.argv[2]!));
