import { useMutation, useQueryClient } from '@tanstack/react-query';

/** A change after which whatever is on the screen is asked for anew: it may be about what was changed. */
export function useChange<I, O>(
  change: (input: I) => Promise<O>,
  done: (answer: O, input: I) => unknown = () => {},
) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSuccess: async (answer, input) => {
      await done(answer, input);
      void queries.invalidateQueries();
    },
  });
}
