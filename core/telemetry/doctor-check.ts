import type { Dependencies, Resolved } from '../di/token.ts';

/** From best to worst: in order; works, but needs attention; does not work. */
export type DoctorState = 'ok' | 'warning' | 'fault';

/** What a check of `vitrine doctor` found. `message` is a sentence that names the thing and its value, without secrets. */
export type DoctorFinding =
  | { readonly state: 'ok'; readonly message: string; readonly mend?: undefined }
  | {
      readonly state: 'warning' | 'fault';
      readonly message: string;
      /** What mends it, best a command. */
      readonly mend: string;
    };

interface DoctorCheckOf<D> {
  readonly name: string;
  readonly check: (deps: D) => readonly DoctorFinding[] | Promise<readonly DoctorFinding[]>;
}

/**
 * A check of a plugin for `vitrine doctor`. It runs without a start of the service and beside one that runs, so it depends
 * only on `DATABASE`, `EGRESS`, `BACKENDS`, `VAULT`, `CLOCK`, `DATA_DIRECTORY` and the settings of its plugin, and changes
 * nothing. One that needs the database is left out while that is away. It must finish within 30 s.
 */
export type DoctorCheck = DoctorCheckOf<never> & { readonly deps: Dependencies };

/** Declares a check for `vitrine doctor`. */
export function doctorCheck<D extends Dependencies>(
  definition: DoctorCheckOf<Resolved<D>> & { readonly deps: D },
): DoctorCheck {
  return definition as unknown as DoctorCheck;
}
