import { useState, type ReactNode } from 'react';
import { text } from '../texts/text.ts';

const STEPS = [1, 1.5, 2, 3, 4, 6, 8];

/** A picture that fits its place, and can be made larger and moved there. */
export function Zoom({
  label,
  children,
  actions,
}: {
  readonly label: string;
  readonly children: ReactNode;
  readonly actions?: ReactNode;
}) {
  const [step, setStep] = useState(0);
  const scale = STEPS[step]!;
  return (
    <div className="zoom">
      <div className={step > 0 ? 'place scrolls' : 'place'} tabIndex={0} role="group" aria-label={label}>
        <div className="scaled" style={{ width: `${scale * 100}%` }}>
          {children}
        </div>
      </div>
      <div className="row between">
        <div className="row" role="group" aria-label={text.results.zoom}>
          <button
            type="button"
            className="button small icon"
            aria-label={text.results.zoomOut}
            // Pressed until it is as small or as large as it may be, it keeps the focus there.
            aria-disabled={step === 0}
            onClick={() => setStep(Math.max(0, step - 1))}
          >
            −
          </button>
          <output className="small quiet">{scale * 100} %</output>
          <button
            type="button"
            className="button small icon"
            aria-label={text.results.zoomIn}
            aria-disabled={step === STEPS.length - 1}
            onClick={() => setStep(Math.min(STEPS.length - 1, step + 1))}
          >
            +
          </button>
        </div>
        {actions}
      </div>
    </div>
  );
}
