import { Link } from '@tanstack/react-router';
import { useEffect, useState, useSyncExternalStore, type CSSProperties, type ReactNode } from 'react';
import { ApiError } from '../api/client.ts';
import { showProblem, text } from '../texts/text.ts';
import { Icon, type IconName } from './icon.tsx';
import { useTitle } from './title.ts';

/** What a screen shows where it has nothing to show, and what to do next. */
export function Empty(props: {
  readonly icon?: IconName;
  readonly title: string;
  /** Whether it is all that the screen has, so that its title is that of the screen. */
  readonly isScreen?: boolean;
  readonly children: ReactNode;
  readonly action?: ReactNode;
}) {
  return (
    <div className="empty">
      <Icon name={props.icon ?? 'box'} size={40} />
      {props.isScreen ? <h1>{props.title}</h1> : <h2>{props.title}</h2>}
      <p>{props.children}</p>
      {props.action}
    </div>
  );
}

/** A fault of a request: what the service said, the request id for the operator, and a way on. */
export function Fault({ error, retry }: { readonly error: unknown; readonly retry?: () => void }) {
  // What cannot be asked for again is no screen but a change, which says what was not found.
  if (retry && isOff(error)) return <SwitchedOff />;
  if (retry && error instanceof ApiError && error.status === 404) return <NotFound />;
  const isAway = !(error instanceof ApiError);
  return (
    <div className="notice bad" role="alert">
      <h3>
        {isAway ? text.errors.offlineTitle : showProblem(error.code, retry ? text.errors.title : error.title)}
      </h3>
      <p>{reasonOf(error)}</p>
      {!isAway && <ProblemFacts error={error} />}
      {retry && <Retry after={isAway ? undefined : error.retryAfter} retry={retry} />}
    </div>
  );
}

/** Whether nothing is served at the address of a request, as where its plugin is switched off. */
export function isOff(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'route_not_found';
}

/** Says that this installation runs without what a screen shows. */
export function SwitchedOff({ isScreen = false }: { readonly isScreen?: boolean }) {
  return (
    <Empty isScreen={isScreen} title={text.errors.offTitle} action={<ToCatalogue />}>
      {text.errors.off}
    </Empty>
  );
}

/** Why a request has no answer, in a sentence. */
export function reasonOf(error: unknown): string {
  return error instanceof ApiError ? error.message : text.errors.offline;
}

/** The code and the request id, which the operator can find in the log. */
export function ProblemFacts({ error }: { readonly error: ApiError }) {
  return (
    <p className="small quiet">
      <code>{error.code}</code>
      {error.requestId && (
        <>
          {' · '}
          {text.errors.requestId} <code>{error.requestId}</code>
        </>
      )}
    </p>
  );
}

/** A button that waits until the service takes requests again. */
export function Retry({ after, retry }: { readonly after: number | undefined; readonly retry: () => void }) {
  const seconds = useCountdown(after ?? 0);
  return (
    <div>
      <button type="button" className="button small" disabled={seconds > 0} onClick={retry}>
        {seconds > 0 ? text.errors.retryIn(seconds) : text.errors.retry}
      </button>
    </div>
  );
}

/** The seconds left of `from`, counted down. */
export function useCountdown(from: number): number {
  const [left, setLeft] = useState(from);
  useEffect(() => {
    setLeft(from);
    const end = Date.now() + from * 1000;
    const timer = setInterval(() => setLeft(Math.max(0, Math.ceil((end - Date.now()) / 1000))), 500);
    return () => clearInterval(timer);
  }, [from]);
  return left;
}

/** The way on from a screen that has nothing to show. */
export function ToCatalogue() {
  return (
    <Link to="/" className="button primary">
      {text.errors.toCatalogue}
    </Link>
  );
}

export function NotFound() {
  useTitle(text.errors.notFoundTitle);
  return (
    <Empty isScreen title={text.errors.notFoundTitle} action={<ToCatalogue />}>
      {text.errors.notFound}
    </Empty>
  );
}

/** A place that is being loaded, in the size of what comes. */
export function Skeleton({ style }: { readonly style: CSSProperties }) {
  return <div className="skeleton" style={style} aria-hidden="true" />;
}

export function useIsOnline(): boolean {
  return useSyncExternalStore(
    (listener) => {
      addEventListener('online', listener);
      addEventListener('offline', listener);
      return () => {
        removeEventListener('online', listener);
        removeEventListener('offline', listener);
      };
    },
    () => navigator.onLine,
  );
}
