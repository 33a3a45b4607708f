import { useChange } from '../api/change.ts';
import { Question, type Asked } from './dialog.tsx';
import { Fault } from './states.tsx';
import { Waiting } from './waiting.tsx';

/** Asks before a request that cannot be undone. A refusal of the service is shown in the question, which stays open until the request succeeds. */
export function Confirmation<T>(
  props: Asked & {
    readonly run: () => Promise<T>;
    readonly done?: (answer: T) => unknown;
    /** Shown while the request is under way, if it takes long. */
    readonly waiting?: string | undefined;
  },
) {
  const { run, done, waiting, children, ...asked } = props;
  const change = useChange(run, (answer) => {
    asked.close();
    return done?.(answer);
  });
  return (
    <Question {...asked} isBusy={change.isPending} confirm={() => change.mutate()}>
      {children}
      {waiting !== undefined && change.isPending && <Waiting>{waiting}</Waiting>}
      {change.error && <Fault error={change.error} />}
    </Question>
  );
}
