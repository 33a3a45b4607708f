import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import type { paths } from 'vitrine/client';
import { api, ApiError, dataOf } from '../../api/client.ts';
import type { Version } from '../../api/queries.ts';
import { useDelayed } from '../../parts/delayed.ts';
import { isObject } from '../../playground/fields.ts';
import type { Finding } from '../../playground/json-places.ts';

/** What is asked about a version that is not saved. */
export type TrialBody = paths['/algorithms/try']['post']['requestBody']['content']['application/json'];
export type Trial = paths['/algorithms/try']['post']['responses'][200]['content']['application/json'];

/** The parts of a version that are written as JSON, in the order in which they are shown. */
export const SHAPES = ['input_schema', 'params', 'output_schema'] as const;
export type Shape = (typeof SHAPES)[number];

/** A version as it is entered. */
export interface DraftTexts extends Readonly<Record<Shape, string>> {
  readonly label: string;
  readonly url: string;
}

/** What is sent of it. */
export type DraftBody = Pick<Version, Shape>;

/** A version that is entered, with what is known of it. */
export interface VersionDraft {
  readonly texts: DraftTexts;
  readonly set: (part: Partial<DraftTexts>) => void;
  /** What was last JSON. */
  readonly body: DraftBody;
  /** The parts that are no JSON, or no object. */
  readonly broken: readonly Shape[];
  /** What the service finds wrong, by places in a body such as `/body/input_schema/type`. */
  readonly findings: readonly Finding[];
  /** What was last without faults, so that a form can be drawn of it. */
  readonly drawn: Drawn;
  /** Whether nothing is wrong with what the form is drawn of. */
  readonly isDrawn: boolean;
}

type Drawn = Pick<DraftBody, 'input_schema' | 'params'>;

const isFaulty = (findings: readonly Finding[]): boolean =>
  findings.some(({ pointer }) => /^\/body\/(input_schema|params)\b/.test(pointer));

/** The texts of a version, or of none. */
export function textsOf(version?: Version): DraftTexts {
  const written = (shape: Shape): string =>
    version && Object.keys(version[shape]).length > 0 ? JSON.stringify(version[shape], null, 2) : '';
  return {
    label: version?.version ?? '',
    url: version?.url ?? '',
    input_schema: written('input_schema'),
    params: written('params'),
    output_schema: written('output_schema'),
  };
}

const NOTHING: DraftBody = { input_schema: {}, params: {}, output_schema: {} };
const NO_FINDINGS: readonly Finding[] = [];

/** Reads what is typed, and asks the service what is wrong with it when typing pauses. */
export function useVersionDraft(initial: DraftTexts, algorithmId: string | undefined): VersionDraft {
  const [texts, setTexts] = useState(initial);
  const [last, setLast] = useState<DraftBody>(() => ({ ...NOTHING, ...readAll(initial) }));
  const set = (part: Partial<DraftTexts>): void => {
    setTexts((before) => ({ ...before, ...part }));
    setLast((before) => ({ ...before, ...readAll(part) }));
  };
  const broken = useMemo(() => SHAPES.filter((shape) => readShape(texts[shape]) === undefined), [texts]);
  const key = useDelayed(JSON.stringify([last, texts.url.trim()]));
  const asked = useMemo(() => {
    const [shapes, url] = JSON.parse(key) as [DraftBody, string];
    return { ...shapes, ...(url !== '' && { url }), ...(algorithmId && { algorithm_id: algorithmId }) };
  }, [key, algorithmId]);
  const { data, error, isPlaceholderData } = useQuery(checkQuery(asked));
  // A body of the wrong form is refused, with the places in it.
  const findings = error instanceof ApiError ? error.errors : (data?.findings ?? NO_FINDINGS);
  const [drawn, setDrawn] = useState<Drawn>(last);
  const isKnown = error !== null || (data !== undefined && !isPlaceholderData);
  if (isKnown && drawn !== asked && !isFaulty(findings)) setDrawn(asked);
  return {
    texts,
    set,
    body: last,
    broken,
    findings,
    drawn,
    isDrawn: broken.length === 0 && !isFaulty(findings),
  };
}

/** What is wrong with a version that is not saved. A check that fails says nothing, and saving says it. */
const checkQuery = (body: TrialBody) =>
  queryOptions({
    queryKey: ['try', body],
    queryFn: ({ signal }) => dataOf(api.POST('/algorithms/try', { body, signal })),
    placeholderData: keepPreviousData,
    staleTime: Infinity,
    retry: false,
  });

/** Calls the endpoint of a version that is not saved. */
export function tryOut(body: TrialBody, signal: AbortSignal): Promise<Trial> {
  return dataOf(api.POST('/algorithms/try', { body, signal }));
}

/** Nothing is an empty schema; `undefined` where the text is no JSON, or no object. */
export function readShape(typed: string): Record<string, unknown> | undefined {
  if (typed.trim() === '') return {};
  try {
    const value: unknown = JSON.parse(typed);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function readAll(texts: Partial<DraftTexts>): Partial<DraftBody> {
  const read = SHAPES.flatMap((shape) => {
    const value = texts[shape] === undefined ? undefined : readShape(texts[shape]);
    return value === undefined ? [] : [[shape, value] as const];
  });
  return Object.fromEntries(read) as Partial<DraftBody>;
}

/** The findings below a place, by their places from there. */
export function findingsBelow(findings: readonly Finding[], place: string): readonly Finding[] {
  return findings
    .filter(({ pointer }) => pointer === place || pointer.startsWith(`${place}/`))
    .map(({ pointer, message }) => ({ pointer: pointer.slice(place.length), message }));
}
