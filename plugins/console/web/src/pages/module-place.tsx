import { useEffect, useRef, useState } from 'react';
import type { PageContext } from 'vitrine/contracts/console';
import { Skeleton } from '../parts/states.tsx';
import { usePageContext } from './context.ts';
import { mountModule } from './mounting.ts';
import { PlaceFaultNotice, type PlaceFault } from './place-fault.tsx';
import type { Shown } from './shown.ts';

/** A place that an ES module of a plugin fills. */
export default function ModulePlace(props: {
  readonly plugin: string;
  readonly file: string;
  /** What a view shows. */
  readonly shown?: Shown | undefined;
}) {
  const { plugin, file, shown } = props;
  const place = useRef<HTMLDivElement>(null);
  const context = usePageContext(plugin);
  const [attempt, setAttempt] = useState(0);
  const [fault, setFault] = useState<PlaceFault>();
  const [isStarting, setStarting] = useState(true);
  useEffect(() => {
    // Each attempt has an element and an address of its own: a browser never loads a module twice.
    const element = document.createElement('div');
    place.current?.append(element);
    setFault(undefined);
    setStarting(true);
    const address = new URL(file, document.baseURI).href;
    const end = mountModule({
      url: attempt === 0 ? address : `${address}?_=${Date.now()}`,
      filesUrl: context.filesUrl,
      element,
      context: shown ? viewContext(context, shown) : context,
      tell: (told) => {
        setStarting(false);
        setFault(told);
      },
    });
    return () => {
      end();
      element.remove();
    };
  }, [file, context, shown, attempt]);
  return (
    <>
      {fault && <PlaceFaultNotice plugin={plugin} fault={fault} retry={() => setAttempt(attempt + 1)} />}
      {isStarting && <Skeleton style={{ height: 160 }} />}
      <div ref={place} className="plugin-place" />
    </>
  );
}

function viewContext(context: PageContext, shown: Shown): PageContext {
  return Object.create(context, Object.getOwnPropertyDescriptors(shown)) as PageContext;
}
