import { lazy, Suspense, useEffect, useMemo, useState } from 'react';
import { part } from '../part.ts';
import { showNumber, text } from '../texts/text.ts';
import { download } from './download.ts';
import { bytesOf, fileName, textOf, type AnsweredFile } from './files.ts';
import { FrameView, picturePage, StyledFrameView, textPage } from './frame-view.tsx';
import { LongText } from './long-text.tsx';
import { showBytes } from './numbers.ts';
import { Zoom } from './zoom.tsx';

interface FileProps {
  readonly file: AnsweredFile;
  /** What it is called where the algorithm gave it no name. */
  readonly name: string;
}

/** What a file is, and a button that saves it. */
export function FileView({ file, name }: FileProps) {
  const bytes = useBytes(file);
  if (!bytes) return <p className="notice bad">{text.results.brokenFile}</p>;
  return (
    <div className="file row between">
      <p className="small">
        <code>{fileName(file, name)}</code>{' '}
        <span className="quiet">
          {file.type} · {showBytes(bytes.length)}
        </span>
      </p>
      <button
        type="button"
        className="button small"
        onClick={() => download(fileName(file, name), bytes, file.type)}
      >
        {text.results.download}
      </button>
    </div>
  );
}

/** `undefined` where the base64 is broken. */
function useBytes(file: AnsweredFile) {
  return useMemo(() => {
    try {
      return bytesOf(file);
    } catch {
      return undefined;
    }
  }, [file]);
}

/** A picture; one in SVG is shown in a frame, since it may hold more than a picture. */
export function PictureView({
  file,
  name,
  label = text.results.picture,
}: FileProps & {
  /** What the picture is, for those who do not see it. */
  readonly label?: string;
}) {
  const [size, setSize] = useState<string>();
  const [isBroken, setBroken] = useState(false);
  const url = useMemo(() => dataUrl(file), [file]);
  if (url === undefined || isBroken) {
    return (
      <>
        <p className="notice bad">{text.results.brokenFile}</p>
        {url !== undefined && <FileView file={file} name={name} />}
      </>
    );
  }
  if (file.type === 'image/svg+xml') {
    return (
      <>
        <FrameView title={label} page={picturePage(url, label)} />
        <FileView file={file} name={name} />
      </>
    );
  }
  return (
    <>
      <Zoom label={label} actions={size !== undefined && <span className="small quiet">{size}</span>}>
        <img
          className="result-picture"
          src={url}
          alt={label}
          onError={() => setBroken(true)}
          onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) =>
            setSize(`${showNumber(naturalWidth)} × ${showNumber(naturalHeight)}`)
          }
        />
      </Zoom>
      <FileView file={file} name={name} />
    </>
  );
}

export function dataUrl({ type, content }: AnsweredFile): string | undefined {
  if ('text' in content) return `data:${type};charset=utf-8,${encodeURIComponent(content.text)}`;
  return `data:${type};base64,${content.base64.replaceAll('-', '+').replaceAll('_', '/').replaceAll(/\s/g, '')}`;
}

/** Sound or film. The browser plays it from an address of its own memory. */
export function MediaView({ file, name, kind }: FileProps & { readonly kind: 'audio' | 'video' }) {
  const bytes = useBytes(file);
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    if (!bytes) return;
    const made = URL.createObjectURL(new Blob([bytes], { type: file.type }));
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [bytes, file.type]);
  const Player = kind;
  return (
    <>
      {url && <Player className="player" controls preload="metadata" src={url} aria-label={name} />}
      <FileView file={file} name={name} />
    </>
  );
}

const LONGEST_PAGE = 2_000_000;
const LONGEST_DOCUMENT = 200_000;

/** A page in HTML, in a frame where nothing of it can run. */
export function PageView({ file, name }: FileProps) {
  const page = useMemo(() => readText(file), [file]);
  if (page === undefined || page.length > LONGEST_PAGE) return <FileView file={file} name={name} />;
  return (
    <>
      <StyledFrameView title={text.results.page} page={textPage(page)} />
      <p className="small quiet">{text.results.pageHint}</p>
      <FileView file={file} name={name} />
    </>
  );
}

const Markdown = lazy(() => part(() => import('../parts/markdown.tsx')));

/** A document in Markdown, as elements of our own. */
export function MarkdownView({ file, name }: FileProps) {
  const source = useMemo(() => readText(file), [file]);
  if (source === undefined || source.length > LONGEST_DOCUMENT) return <SourceView file={file} name={name} />;
  return (
    <>
      <Suspense fallback={<LongText value={source} />}>
        <Markdown source={source} below={3} />
      </Suspense>
      <FileView file={file} name={name} />
    </>
  );
}

/** A file that can be read, as its text. */
export function SourceView({ file, name }: FileProps) {
  const source = useMemo(() => readText(file), [file]);
  return (
    <>
      {source !== undefined && <LongText value={source} isCode />}
      <FileView file={file} name={name} />
    </>
  );
}

function readText(file: AnsweredFile): string | undefined {
  try {
    return textOf(file);
  } catch {
    return undefined;
  }
}
