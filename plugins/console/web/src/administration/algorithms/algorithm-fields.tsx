import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useId, useState } from 'react';
import { algorithmsQuery, type Algorithm } from '../../api/queries.ts';
import { part } from '../../part.ts';
import { entered } from '../../parts/plain-text.ts';
import { Segments } from '../../parts/segments.tsx';
import { Skeleton } from '../../parts/states.tsx';
import { TextArea } from '../../parts/text-area.tsx';
import { TextField } from '../../parts/text-field.tsx';
import { adminText, text } from '../../texts/text.ts';

/** Loaded when a readme is looked at. */
const Markdown = lazy(() => part(() => import('../../parts/markdown.tsx')));

type Words = Pick<Algorithm, 'name' | 'type' | 'description' | 'tags'>;
type Errors = ReadonlyMap<string, string>;

/** What people read about an algorithm in lists. */
export function AlgorithmFields({ before, errors }: { readonly before?: Words; readonly errors: Errors }) {
  const words = adminText.algorithms;
  const id = useId();
  const { data } = useQuery(algorithmsQuery({ limit: 1, facets: true }));
  const tagFault = [...errors].find(([pointer]) => pointer.startsWith('/body/tags'))?.[1];
  return (
    <>
      <TextField
        label={text.examples.name}
        name="name"
        maxLength={200}
        autoComplete="off"
        defaultValue={before?.name}
        wrong={errors.get('/body/name')}
      />
      <TextField
        label={text.algorithm.type}
        name="type"
        maxLength={100}
        autoComplete="off"
        list={`${id}-types`}
        defaultValue={before?.type}
        hint={words.typeHint}
        wrong={errors.get('/body/type')}
      />
      <datalist id={`${id}-types`}>
        {data?.facets?.types.map(({ name }) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      <TextArea
        label={words.description}
        name="description"
        maxLength={10_000}
        defaultValue={before?.description}
        hint={words.descriptionHint}
        wrong={errors.get('/body/description')}
      />
      <TextField
        label={text.catalogue.facets.tags}
        name="tags"
        required={false}
        autoComplete="off"
        defaultValue={before?.tags.join(', ')}
        hint={words.tagsHint}
        wrong={tagFault}
      />
    </>
  );
}

/** What was entered in these fields. */
export function wordsIn(form: FormData): Words {
  const of = (name: string): string => entered(form, name).trim();
  const tags = of('tags')
    .split(/[,，、]/)
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '');
  return { name: of('name'), type: of('type'), description: of('description'), tags };
}

const MODES = ['write', 'preview'] as const;

/** The readme, which is written in Markdown and looked at as the catalogue shows it. */
export function ReadmeCard({
  before,
  wrong,
}: {
  readonly before: string;
  readonly wrong: string | undefined;
}) {
  const words = adminText.algorithms;
  const [readme, setReadme] = useState(before);
  const [mode, setMode] = useState<(typeof MODES)[number]>('write');
  return (
    <section className="card whole" aria-labelledby="readme">
      <header>
        <h2 id="readme">{words.readme}</h2>
        <Segments
          label={words.readme}
          options={MODES}
          chosen={mode}
          choose={setMode}
          nameOf={(each) => words.readmeModes[each]}
        />
      </header>
      <div className="body">
        {/* It stays, so that what is typed can be taken back there, and is sent with the form. */}
        <div hidden={mode !== 'write'}>
          <TextArea
            label={words.readmeText}
            name="readme"
            className="mono readme"
            maxLength={65_536}
            value={readme}
            onChange={({ target }) => setReadme(target.value)}
            hint={words.readmeHint}
            wrong={wrong}
          />
        </div>
        {mode === 'preview' &&
          (readme.trim() === '' ? (
            <p className="quiet">{words.readmeEmpty}</p>
          ) : (
            <Suspense fallback={<Skeleton style={{ height: 240 }} />}>
              <Markdown source={readme} below={2} />
            </Suspense>
          ))}
      </div>
    </section>
  );
}
