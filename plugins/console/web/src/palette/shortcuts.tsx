import { Dialog } from '../parts/dialog.tsx';
import { text } from '../texts/text.ts';
import { modifier } from './keys.ts';

/** Which keys do what. */
export function Shortcuts({ close }: { readonly close: () => void }) {
  const { keys } = text.palette;
  return (
    <Dialog title={text.palette.shortcuts} close={close}>
      <dl className="shortcuts">
        {(
          [
            [[modifier, 'K'], keys.palette],
            [['/'], keys.search],
            [[modifier, '↵'], keys.run],
            [['?'], keys.shortcuts],
            [['Esc'], keys.close],
          ] as const
        ).map(([pressed, what]) => (
          <div key={what}>
            <dt>
              {pressed.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
