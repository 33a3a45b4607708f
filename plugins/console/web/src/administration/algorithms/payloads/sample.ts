import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { examplesQuery, type Algorithm, type Example } from '../../../api/queries.ts';

/** The examples of the default version, of which one shows what a record would keep. */
export function useSample({ id, versions }: Algorithm) {
  const version = versions.find(({ is_default }) => is_default);
  const { data = [] } = useQuery({ ...examplesQuery(id, version?.id ?? ''), enabled: version !== undefined });
  const [chosen, choose] = useState<string>();
  const sample: Example | undefined =
    data.find((example) => example.id === chosen) ?? data.find(({ is_default }) => is_default) ?? data[0];
  return { samples: data, sample, choose };
}
