import { createConnection } from 'node:net';

/**
 * Sends the same request over keep-alive connections, each as fast as answers come, and measures. It reads only what
 * it must of an answer, so that it takes little from the machine under test.
 */
export async function load({ port, request, connections, seconds }) {
  const end = performance.now() + seconds * 1000;
  const began = performance.now();
  const tallies = await Promise.all(
    Array.from({ length: connections }, () => oneConnection({ port, request, end })),
  );
  const elapsed = (performance.now() - began) / 1000;
  const times = Float64Array.from(tallies.flatMap((tally) => tally.times)).sort();
  const statuses = {};
  for (const { status } of tallies) {
    for (const [code, count] of Object.entries(status)) statuses[code] = (statuses[code] ?? 0) + count;
  }
  return {
    perSecond: times.length / elapsed,
    p50: times[Math.floor(times.length * 0.5)] ?? NaN,
    p99: times[Math.floor(times.length * 0.99)] ?? NaN,
    statuses,
  };
}

/** The text of a POST with a JSON body. */
export function post(path, body, headers = {}) {
  const text = JSON.stringify(body);
  const lines = Object.entries({
    host: '127.0.0.1',
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
    ...headers,
  }).map(([name, value]) => `${name}: ${value}`);
  return Buffer.from(`POST ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${text}`);
}

function oneConnection({ port, request, end }) {
  return new Promise((resolve, reject) => {
    const times = [];
    const status = {};
    const answers = new AnswerReader();
    let sent = 0;
    const socket = createConnection({ port, host: '127.0.0.1', noDelay: true });
    const send = () => {
      sent = performance.now();
      socket.write(request);
    };
    socket.on('connect', send);
    socket.on('error', reject);
    socket.on('close', () => reject(new Error('the server closed a connection under load')));
    socket.on('data', (chunk) => {
      const code = answers.read(chunk);
      if (code === undefined) return;
      const now = performance.now();
      times.push(now - sent);
      status[code] = (status[code] ?? 0) + 1;
      if (now < end) return send();
      socket.removeAllListeners('close');
      socket.destroy();
      resolve({ times, status });
    });
  });
}

/** Finds where an answer ends: by `Content-Length`, or by the last chunk. */
class AnswerReader {
  #text = '';

  /** The status when an answer is complete. */
  read(chunk) {
    this.#text += chunk.toString('latin1');
    const head = this.#text.indexOf('\r\n\r\n');
    if (head < 0 || !this.#isComplete(head)) return undefined;
    const status = this.#text.slice(9, 12);
    this.#text = '';
    return status;
  }

  #isComplete(head) {
    const length = /content-length: (\d+)/i.exec(this.#text.slice(0, head));
    if (length) return this.#text.length >= head + 4 + Number(length[1]);
    return this.#text.endsWith('0\r\n\r\n');
  }
}
