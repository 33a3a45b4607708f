import { apiUrl } from '../place.ts';

/** The body of a call. */
export interface CallBody {
  readonly algorithm_id: string;
  readonly version_id: string;
  readonly input_data: Record<string, unknown>;
  readonly params: Record<string, unknown>;
}

export const LANGUAGES = ['curl', 'TypeScript', 'Python'] as const;
export type Language = (typeof LANGUAGES)[number];

/** The call as a program with exactly these values. The key is read from the environment and never printed. */
export function codeFor(language: Language, call: CallBody): string {
  const url = `${apiUrl}/algorithms/call`;
  if (language === 'curl') return curl(url, call);
  return language === 'TypeScript' ? typescript(url, call) : python(url, call);
}

function curl(url: string, call: CallBody): string {
  return `curl -sS '${url}' \\
  -H "Authorization: Bearer $VITRINE_KEY" \\
  -H 'Content-Type: application/json' \\
  --data-binary @- <<'VITRINE'
${JSON.stringify(call, null, 2)}
VITRINE`;
}

function typescript(url: string, call: CallBody): string {
  return `const response = await fetch(${JSON.stringify(url)}, {
  method: 'POST',
  headers: {
    Authorization: \`Bearer \${process.env.VITRINE_KEY}\`,
    'Content-Type': 'application/json',
  },
  body: JSON.stringify(${indented(JSON.stringify(call, null, 2))}),
});
if (!response.ok) throw new Error(await response.text());
const call = await response.json();
console.log(call.status, call.output_data);`;
}

function python(url: string, call: CallBody): string {
  // A raw string keeps the escapes of the JSON; three quotes in a row would end it.
  return `import json, os, urllib.request

call = json.loads(r"""
${JSON.stringify(call, null, 2).replaceAll('"""', String.raw`\u0022\u0022\u0022`)}
""")
request = urllib.request.Request(
    ${JSON.stringify(url)},
    data=json.dumps(call).encode(),
    headers={
        "Authorization": "Bearer " + os.environ["VITRINE_KEY"],
        "Content-Type": "application/json",
    },
)
with urllib.request.urlopen(request) as response:
    answer = json.load(response)
print(answer["status"], answer.get("output_data"))`;
}

function indented(json: string): string {
  return json.replaceAll('\n', '\n  ');
}
