import { useMemo } from 'react';
import { safeAddress } from '../parts/safe-address.ts';
import { text } from '../texts/text.ts';
import { PictureView } from '../views/file-view.tsx';
import { titleOf } from '../views/part-view.tsx';
import { picturesIn, type PayloadPicture } from './pictures-in.ts';

/** The pictures of a payload, each with its name and a way to save it. */
export function PayloadPictures({ value, schema }: { readonly value: unknown; readonly schema: unknown }) {
  const pictures = useMemo(() => picturesIn(value, schema), [value, schema]);
  return pictures.map((picture) => {
    const name = nameOf(picture);
    return (
      <section key={picture.path.join('/')} className="view" role="group" aria-label={name}>
        <h3>{name}</h3>
        {'file' in picture ? (
          <PictureView file={picture.file} name={picture.path.at(-1) ?? 'picture'} label={name} />
        ) : (
          <Elsewhere address={picture.address} />
        )}
      </section>
    );
  });
}

function nameOf({ path, schema }: PayloadPicture): string {
  if (path.length === 0) return text.playground.picture;
  return [...path.slice(0, -1), titleOf(path.at(-1)!, schema)].join(' / ');
}

/** The console loads nothing from other servers, so it leads there instead. */
function Elsewhere({ address }: { readonly address: string }) {
  return (
    <div className="file stack tight">
      <p className="small">
        <a href={safeAddress(address)} target="_blank" rel="noopener noreferrer">
          {address}
        </a>
      </p>
      <p className="small quiet">{text.call.elsewhere}</p>
    </div>
  );
}
