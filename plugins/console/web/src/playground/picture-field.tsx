import { useRef, useState, type ClipboardEvent, type DragEvent } from 'react';
import { Icon } from '../parts/icon.tsx';
import { plainText } from '../parts/plain-text.ts';
import { showNumber, text } from '../texts/text.ts';
import { DescribePicture } from './describe-picture.tsx';
import type { FieldSchema } from './fields.ts';
import { pictureUrl } from './pictures.ts';

const LARGEST = 5_000_000;
const SHOWN: Readonly<Record<string, string>> = {
  'image/png': 'PNG',
  'image/jpeg': 'JPEG',
  'image/gif': 'GIF',
  'image/webp': 'WebP',
};

interface PictureProps {
  readonly id: string;
  readonly schema: FieldSchema;
  readonly value: unknown;
  readonly change: (value: unknown) => void;
  readonly describedBy: string | undefined;
  readonly isWrong: boolean;
}

/**
 * A picture by file, drop or paste; its bytes go into the value in base64, or in a data URL where the schema asks for an
 * address. Other addresses are for the algorithm to load: the console loads nothing from elsewhere.
 */
export function PictureField({ id, schema, value, change, describedBy, isWrong }: PictureProps) {
  const input = useRef<HTMLInputElement>(null);
  const chooser = useRef<HTMLButtonElement>(null);
  const [isOver, setOver] = useState(false);
  const [fault, setFault] = useState<string>();
  const takesAddress = ['uri', 'url', 'uri-reference', 'iri'].includes(schema.format ?? '');
  const written = typeof value === 'string' ? value : '';
  const url = pictureUrl(written);
  const address = url ?? (takesAddress && /^https?:/.test(written) ? written : undefined);
  const largest = schema.maxLength === undefined ? LARGEST : Math.floor((schema.maxLength / 4) * 3);

  const accepted = acceptedTypes(schema);
  const names = accepted.map((type) => SHOWN[type]!);

  const set = (next: string | undefined): void => {
    setFault(undefined);
    change(next);
  };
  const take = async (file: File): Promise<void> => {
    if (file.size > largest) return setFault(text.form.tooLarge(megabytes(file.size), megabytes(largest)));
    const data = await dataUrlOf(file);
    const bytes = data.slice(data.indexOf(',') + 1);
    const shown = pictureUrl(bytes);
    if (!shown) return setFault(text.form.noPicture(file.name, names));
    const type = typeOf(shown);
    if (!accepted.includes(type)) return setFault(text.form.otherPicture(file.name, SHOWN[type]!, names));
    set(takesAddress ? shown : bytes);
  };
  const takeText = (pasted: string): void => {
    const shown = pictureUrl(pasted);
    if (shown && !accepted.includes(typeOf(shown)))
      return setFault(text.form.otherPicture(pasted.slice(0, 40), SHOWN[typeOf(shown)]!, names));
    if (shown) return set(takesAddress ? pasted : pasted.replace(/^data:[^,]*,/, ''));
    if (!/^https?:\/\//.test(pasted)) return setFault(text.form.noPicture(pasted.slice(0, 40), names));
    if (takesAddress) set(pasted);
    else setFault(text.form.noAddress);
  };
  const takeFrom = (data: DataTransfer): void => {
    const pasted = data.getData('text/plain').trim();
    if (data.files[0]) void take(data.files[0]);
    else if (pasted) takeText(pasted);
  };
  const onPaste = (event: ClipboardEvent): void => {
    // An address is typed and pasted into its own field as any text is.
    if (event.target instanceof HTMLInputElement && event.clipboardData.files.length === 0) return;
    event.preventDefault();
    takeFrom(event.clipboardData);
  };
  const onDrop = (event: DragEvent): void => {
    event.preventDefault();
    setOver(false);
    takeFrom(event.dataTransfer);
  };
  return (
    <div
      className={isOver ? 'picture over' : 'picture'}
      onDragOver={(event) => (event.preventDefault(), setOver(true))}
      onDragLeave={() => setOver(false)}
      onDrop={onDrop}
      onPaste={onPaste}
    >
      {url && <Preview key={url} url={url} />}
      {takesAddress && (
        <>
          <input
            className="input"
            type="url"
            inputMode="url"
            autoComplete="off"
            aria-label={text.form.address}
            aria-invalid={isWrong}
            placeholder={url ? text.form.fromFile : 'https://'}
            value={url ? '' : written}
            onChange={({ target }) => set(target.value || undefined)}
          />
          {!url && written !== '' && <p className="small quiet">{text.form.notShown}</p>}
        </>
      )}
      <div className="row">
        <input
          ref={input}
          id={id}
          className="visually-hidden"
          type="file"
          accept={accepted.join(',')}
          tabIndex={-1}
          aria-describedby={describedBy}
          onChange={({ target }) => {
            if (target.files?.[0]) void take(target.files[0]);
            // The same file may be chosen again.
            target.value = '';
          }}
        />
        <button ref={chooser} type="button" className="button small" onClick={() => input.current?.click()}>
          {text.playground.chooseFile}
        </button>
        <span className="small quiet">{text.playground.dropHere}</span>
        {written !== '' && (
          <button
            type="button"
            className="button plain small icon"
            aria-label={text.playground.removePicture}
            // It goes away with the picture.
            onClick={() => (set(undefined), chooser.current?.focus())}
          >
            <Icon name="close" size={15} />
          </button>
        )}
      </div>
      {fault && (
        <p className="wrong" role="alert">
          {fault}
        </p>
      )}
      {address !== undefined && <DescribePicture key={address} url={address} />}
    </div>
  );
}

/** What the schema takes of the types that are shown; all of them where it names none. */
function acceptedTypes({ contentMediaType = '', 'x-media-types': types = [contentMediaType] }: FieldSchema) {
  const known = Object.keys(SHOWN).filter((type) => types.includes(type));
  return known.length > 0 ? known : Object.keys(SHOWN);
}

function typeOf(dataUrl: string): string {
  return dataUrl.slice('data:'.length, dataUrl.indexOf(';'));
}

/** The picture with its type and its size. */
function Preview({ url }: { readonly url: string }) {
  const [size, setSize] = useState<string>();
  const type = /^data:image\/(\w+)/.exec(url)?.[1]?.toUpperCase() ?? '';
  const bytes = ((url.length - url.indexOf(',')) / 4) * 3;
  const [isBroken, setBroken] = useState(false);
  if (isBroken) return <p className="small quiet">{text.form.damaged}</p>;
  return (
    <figure className="stack tight">
      <img
        src={url}
        alt={text.playground.picture}
        onLoad={({ currentTarget }) =>
          setSize(`${currentTarget.naturalWidth} × ${currentTarget.naturalHeight}`)
        }
        onError={() => setBroken(true)}
      />
      <figcaption className="small quiet">
        {[type, size, bytes < 100_000 ? `${showNumber(Math.ceil(bytes / 1000))} kB` : megabytes(bytes)]
          .filter(Boolean)
          .join(' · ')}
      </figcaption>
    </figure>
  );
}

function megabytes(bytes: number): string {
  return `${showNumber(Math.round(bytes / 100_000) / 10)} MB`;
}

function dataUrlOf(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener('load', () => resolve(plainText(reader.result)));
    reader.addEventListener('error', () => reject(reader.error ?? new Error(file.name)));
    reader.readAsDataURL(file);
  });
}
