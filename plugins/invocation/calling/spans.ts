import type { ServiceOf, TRACER } from '../../../core/index.ts';
import type { CallGuard, PreparedCall, Transport } from '../contract.ts';
import type { CallRecorder } from '../recording/recorder.ts';

type Tracer = NonNullable<ServiceOf<typeof TRACER>>;

/** The parts of a call that take time outside this process or wait for it. */
export interface TracedParts {
  readonly guards: readonly CallGuard[];
  readonly transports: readonly Transport[];
  readonly recorder: CallRecorder;
}

/** The same parts, each with spans of its work where traces are sent. */
export function traced<P extends TracedParts>(
  parts: P,
  tracer: Tracer | undefined,
): Omit<P, keyof TracedParts> & TracedParts {
  if (!tracer) return parts;
  return {
    ...parts,
    guards: parts.guards.map((guard) => guardWithSpans(guard, tracer)),
    transports: parts.transports.map((transport) => transportWithSpans(transport, tracer)),
    recorder: recorderWithSpans(parts.recorder, tracer),
  };
}

function guardWithSpans(guard: CallGuard, tracer: Tracer): CallGuard {
  const { name } = guard;
  const step = (verb: string) =>
    [`guard ${name} ${verb}`, { attributes: { 'vitrine.guard': name } }] as const;
  return {
    name,
    ...(guard.receive && {
      receive: (call) => tracer.span(...step('receive'), () => guard.receive!(call)),
    }),
    ...(guard.chooseVersion && {
      chooseVersion: (call) => tracer.span(...step('choose'), () => guard.chooseVersion!(call)),
    }),
    ...(guard.admit && {
      admit: (call) => tracer.span(...step('admit'), () => guard.admit!(call)),
    }),
    ...(guard.around && {
      around: (call, send) => tracer.span(...step('around'), () => guard.around!(call, send)),
    }),
  };
}

function transportWithSpans(transport: Transport, tracer: Tracer): Transport {
  return {
    schemes: transport.schemes,
    check: (url) => transport.check(url),
    send: (call, limits) =>
      tracer.span('endpoint', { kind: 'client', attributes: attributesOf(call) }, async (span) => {
        const { traceparent } = span;
        const outcome = await transport.send({ ...call, context: { ...call.context, traceparent } }, limits);
        if (!outcome.ok) span.fail(outcome.code);
        return outcome;
      }),
  };
}

/** Of the URL only the server: paths and queries may have secrets in them. */
function attributesOf({ id, callable }: PreparedCall) {
  const { protocol, hostname, port } = new URL(callable.version.url);
  return {
    'vitrine.call_id': id,
    'vitrine.algorithm_id': callable.algorithm.id,
    'vitrine.version_id': callable.version.id,
    'url.scheme': protocol.slice(0, -1),
    'server.address': hostname || undefined,
    'server.port': port === '' ? undefined : Number(port),
  };
}

/** A span lasts from the hand-over of a record to its commit, in whichever batch that is. */
function recorderWithSpans(recorder: CallRecorder, tracer: Tracer): CallRecorder {
  const about = ({ id }: { readonly id: string }) => ({ attributes: { 'vitrine.call_id': id } });
  return {
    demandStore: () => recorder.demandStore(),
    record: (call) => tracer.span('store', about(call), () => recorder.record(call)),
    begin: (call) => tracer.span('store beginning', about(call), () => recorder.begin(call)),
  };
}
