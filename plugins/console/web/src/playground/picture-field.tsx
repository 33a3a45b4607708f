import { useRef, useState } from 'react';
import { Icon } from '../parts/icon.tsx';
import { text } from '../texts/text.ts';
import { plainText } from '../parts/plain-text.ts';
import { pictureUrl } from './pictures.ts';

const LARGEST = 5 * 1024 * 1024;

interface PictureProps {
  readonly id: string;
  readonly value: unknown;
  readonly change: (value: unknown) => void;
  readonly describedBy: string | undefined;
}

/** A picture by file, drop or paste; its bytes go into the value in base64. */
export function PictureField({ id, value, change, describedBy }: PictureProps) {
  const input = useRef<HTMLInputElement>(null);
  const [isOver, setOver] = useState(false);
  const [wrong, setWrong] = useState<string>();
  const url = typeof value === 'string' ? pictureUrl(value) : undefined;

  const take = async (file: File | undefined): Promise<void> => {
    if (!file) return;
    setWrong(file.size > LARGEST ? text.playground.tooLarge : undefined);
    if (file.size <= LARGEST) change(await base64Of(file));
  };
  return (
    <div
      className={isOver ? 'picture over' : 'picture'}
      onDragOver={(event) => (event.preventDefault(), setOver(true))}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        void take(event.dataTransfer.files[0]);
      }}
      onPaste={(event) => void take(event.clipboardData.files[0])}
    >
      {url && <img src={url} alt={text.playground.picture} />}
      <div className="row">
        <input
          ref={input}
          id={id}
          className="visually-hidden"
          type="file"
          accept="image/*"
          tabIndex={-1}
          aria-describedby={describedBy}
          onChange={({ target }) => void take(target.files?.[0])}
        />
        <button type="button" className="button small" onClick={() => input.current?.click()}>
          {text.playground.chooseFile}
        </button>
        <span className="small quiet">{text.playground.dropHere}</span>
        {url && (
          <button
            type="button"
            className="button plain small icon"
            aria-label={text.playground.removePicture}
            onClick={() => change(undefined)}
          >
            <Icon name="close" size={15} />
          </button>
        )}
      </div>
      {wrong && <p className="wrong">{wrong}</p>}
    </div>
  );
}

function base64Of(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener('load', () => resolve(plainText(reader.result).replace(/^[^,]*,/, '')));
    reader.addEventListener('error', () => reject(reader.error ?? new Error(file.name)));
    reader.readAsDataURL(file);
  });
}
