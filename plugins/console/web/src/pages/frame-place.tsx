import { useEffect, useRef, useState } from 'react';
import { usePageContext } from './context.ts';
import { openChannel, type Channel } from './frame-channel.ts';
import { START_MS } from './mounting.ts';
import { PlaceFaultNotice, type PlaceFault } from './place-fault.tsx';
import type { Shown } from './shown.ts';

const HEIGHT = 320;

interface FrameProps {
  readonly plugin: string;
  readonly file: string;
  readonly title: string;
  readonly operations: readonly string[];
  /** What a view shows. */
  readonly shown?: Shown | undefined;
}

/** A document of a plugin in a frame with an origin of its own, which asks for things by messages alone. */
export default function FramePlace(props: FrameProps) {
  const [attempt, setAttempt] = useState(0);
  const [fault, setFault] = useState<PlaceFault>();
  const retry = (): void => {
    setFault(undefined);
    setAttempt(attempt + 1);
  };
  return (
    <>
      {fault && <PlaceFaultNotice plugin={props.plugin} fault={fault} retry={retry} />}
      <Frame key={attempt} {...props} tell={setFault} />
    </>
  );
}

function Frame(props: FrameProps & { readonly tell: (fault: PlaceFault | undefined) => void }) {
  const { plugin, file, title, operations, shown, tell } = props;
  const frame = useRef<HTMLIFrameElement>(null);
  const channel = useRef<Channel>(undefined);
  const [height, setHeight] = useState(HEIGHT);
  const [isReady, setReady] = useState(false);
  const context = usePageContext(plugin);
  useEffect(() => {
    if (isReady) return tell(undefined);
    const timer = setTimeout(() => tell({ kind: 'slow' }), START_MS);
    return () => clearTimeout(timer);
  }, [isReady, tell]);
  useEffect(() => channel.current?.change(shown), [shown]);
  useEffect(() => context.onChange(() => channel.current?.change(undefined)), [context]);
  useEffect(() => () => channel.current?.close(), []);
  const loaded = (): void => {
    // Only the first document is trusted with a channel: what it might lead the frame to is not.
    if (channel.current) return channel.current.close();
    channel.current = openChannel(frame.current!.contentWindow!, {
      context,
      operations,
      shown,
      ready: () => setReady(true),
      resize: setHeight,
    });
  };
  return (
    <iframe
      ref={frame}
      className="plugin-frame"
      sandbox="allow-scripts"
      src={new URL(file, document.baseURI).href}
      title={title}
      height={height}
      onLoad={loaded}
    />
  );
}
