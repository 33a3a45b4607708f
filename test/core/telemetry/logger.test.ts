import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import { expect } from 'chai';
import { createLogger } from '../../../core/telemetry/pino-logger.ts';

describe('the log', () => {
  let lines: Record<string, unknown>[];
  const destination = {
    write: (line: string) => void lines.push(JSON.parse(line) as Record<string, unknown>),
  };

  beforeEach(() => {
    lines = [];
  });

  function logger(level = 'debug') {
    return createLogger({ level, destination });
  }

  it('writes JSON lines with level, fields and sentence', () => {
    logger().info({ n: 1 }, 'It works');
    expect(lines[0]).to.include({ level: 'info', n: 1, msg: 'It works' });
  });

  it('writes ISO times', () => {
    logger().info({}, 'x');
    expect(lines[0]?.['time']).to.match(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  });

  it('writes nothing below its level', () => {
    logger('warn').info({}, 'x');
    expect(lines).to.deep.equal([]);
  });

  it('repeats the fields of a child on its lines', () => {
    logger().child({ request_id: 'r1' }).warn({}, 'x');
    expect(lines[0]).to.include({ request_id: 'r1' });
  });

  it('describes an error with its stack', () => {
    logger().error({ err: new Error('boom') }, 'x');
    expect(lines[0]?.['err']).to.include({ type: 'Error', message: 'boom' });
  });

  describe('keeps secrets out', () => {
    const names = [
      'authorization',
      'Authorization',
      'proxy-authorization',
      'cookie',
      'set-cookie',
      'password',
      'new_password',
      'token',
      'access_token',
      'secret',
      'jwt_secret',
      'key',
      'api_key',
      'x-api-key',
      'secret_key',
    ];
    for (const name of names) {
      it(`under "${name}"`, () => {
        logger().info({ [name]: 'hush' }, 'x');
        expect(lines[0]?.[name]).to.equal('[redacted]');
      });
    }

    it('deep inside objects and lists', () => {
      logger().info({ request: { headers: [{ authorization: 'Bearer hush' }] } }, 'x');
      expect(JSON.stringify(lines[0])).not.to.contain('hush');
    });

    it('in the fields of an error', () => {
      logger().error({ err: Object.assign(new Error('boom'), { config: { token: 'hush' } }) }, 'x');
      expect(JSON.stringify(lines[0])).not.to.contain('hush');
    });

    it('in the fields of a child', () => {
      logger().child({ password: 'hush' }).info({}, 'x');
      expect(JSON.stringify(lines[0])).not.to.contain('hush');
    });

    it('and leaves the logged object as it was', () => {
      const fields = { password: 'hush' };
      logger().info(fields, 'x');
      expect(fields.password).to.equal('hush');
    });

    it('but shows what merely sounds alike', () => {
      logger().info({ key_id: 'k1', tokens: 5, monkey: 'm' }, 'x');
      expect(lines[0]).to.include({ key_id: 'k1', tokens: 5, monkey: 'm' });
    });
  });

  it('writes for people on request: time, level, plugin, sentence and the other fields on one line', async () => {
    const written = new PassThrough();
    const log = createLogger({ level: 'info', format: 'pretty', destination: written });
    log.child({ plugin: 'users' }).warn({ n: 1, password: 'hidden' }, 'It works');
    const [bytes] = (await once(written, 'data')) as [Buffer];
    const line = stripVTControlCharacters(bytes.toString());
    expect(line).to.match(
      /^\[\d\d:\d\d:\d\d\.\d{3}\] WARN: users: It works \{"n":1,"password":"\[redacted\]"\}\n$/,
    );
  });

  it('writes JSON with `auto` where the output is no terminal', () => {
    createLogger({ level: 'info', format: 'auto', destination }).info({}, 'It works');
    expect(lines[0]).to.include({ level: 'info', msg: 'It works' });
  });
});
