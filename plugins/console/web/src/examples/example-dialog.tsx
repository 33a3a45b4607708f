import { Suspense } from 'react';
import { lazyPart } from '../part.ts';
import type { ExampleDialogProps } from './example-form.tsx';

/** Loaded where it is used, which is by those who manage an algorithm. */
const ExampleForm = lazyPart(() => import('./example-form.tsx'), 'ExampleForm');

/** Asks what an example is called, what it shows, and whether it comes first. */
export function ExampleDialog(props: ExampleDialogProps) {
  return (
    <Suspense>
      <ExampleForm {...props} />
    </Suspense>
  );
}
