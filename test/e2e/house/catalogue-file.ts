/** A catalogue as a file, with grants and policies. */
export function catalogueFile(): object {
  const names = Array.from({ length: 40 }, (_, n) => `Algorithm ${n}`);
  const algorithms = names.map((name, n) => ({
    name,
    description: 'Came from another installation.',
    type: n % 2 === 0 ? 'vision' : 'nlp',
    access: (['open', 'restricted', 'private'] as const)[n % 3],
    tags: ['imported', `Größe ${n}`],
    readme: `## ${name}\n`,
    versions: [
      {
        version: '1.0',
        url: `https://example.org/${n}`,
        input_schema: { type: 'object', properties: { n: { type: 'integer' } } },
        examples: [{ name: 'One', input_data: { n: 1 } }],
      },
    ],
  }));
  return {
    vitrine: 1,
    algorithms,
    sections: {
      permissions: names.slice(0, 20).map((algorithm) => ({
        algorithm,
        user: 'grace',
        permission_type: 'execute',
        granted_by: 'ada',
      })),
      gateway: {
        policies: names.map((subject_name) => ({
          name: 'Few at once',
          subject: 'algorithm',
          subject_name,
          concurrency: 4,
        })),
      },
      invocation: {
        payload_policies: names.map((algorithm) => ({ algorithm, output_data: { mode: 'hash' } })),
      },
    },
  };
}
