import { expect } from 'chai';
import { goYaml, type Value } from '../support/helm/go-yaml.ts';
import { renderTemplates } from '../support/helm/render.ts';

const values: Value = { word: 'wide', none: '', number: 5, list: ['a', 'b'], map: { key: 'value' } };

function render(template: string, more: Readonly<Record<string, string>> = {}): string {
  const files = new Map(Object.entries({ ...more, 'file.yaml': template }));
  return renderTemplates(files, { Values: values }).get('file.yaml')!;
}

/** What Helm 3.14 renders, written down from it. */
const rendered: readonly (readonly [string, string])[] = [
  ['a {{ .Values.word }} b', 'a wide b'],
  ['a \n {{- " b " -}} \n c', 'a b c'],
  ['a {{- /* said to nobody */ -}} b', 'ab'],
  ['{{ if .Values.none }}x{{ else if .Values.number }}y{{ else }}z{{ end }}', 'y'],
  ['{{ if not .Values.map }}x{{ end }}', ''],
  ['{{ with .Values.map }}{{ .key }} {{ $.Values.word }}{{ end }}', 'value wide'],
  ['{{ range .Values.list }}-{{ . }}{{ end }}', '-a-b'],
  ['{{ range list "x" "y" }}{{ . }}{{ end }}', 'xy'],
  ['{{ default "d" .Values.none }}{{ default "d" .Values.word }}', 'dwide'],
  ['{{ printf "%s-%s" .Values.word "x" | trunc 5 | trimSuffix "-" }}', 'wide'],
  ['{{ div (add .Values.number 6 .Values.number) 3 }}', '5'],
  ['{{ .Values.word | quote }}{{ replace "w" "h" .Values.word }}', '"wide"hide'],
  ['x:{{ toYaml .Values.map | nindent 2 }}', 'x:\n  key: value'],
  ['{{ contains "id" .Values.word }}', 'true'],
];

/** What Helm would do something with, but this does not know. */
const refused: readonly (readonly [string, RegExp])[] = [
  ['{{ lower .Values.word }}', /function "lower" is not known/],
  ['{{ .Values.wrod }}', /no "wrod"/],
  ['{{ $x := .Values.word }}', /not known/],
  ['{{ range $i, $x := .Values.list }}{{ end }}', /not known/],
  ['{{ range .Values.map }}{{ end }}', /lists alone/],
  ['{{ .Values.list }}', /cannot be written/],
  ['{{ if .Values.word }}', /"end" is missing/],
  ['{{ end }}', /never began/],
  ['{{ with .Values.none }}a{{ else }}b{{ end }}', /Expected "end"/],
  ['{{ if .Values.none }}a{{ else with .Values.word }}b{{ end }}', /"else with" is not known/],
  ['{{ .Values.word ', /not closed/],
  ['{{ "a" | .Values.word }}', /no function/],
  ['{{ add 1 .Values.word }}', /not a whole number/],
  ['{{ printf "%d" .Values.number }}', /printf knows %s alone/],
  ['{{ include "nobody" . }}', /not possible/],
  ["{{ 'a' }}", /not known/],
  ['{{ 1.5 }}', /not known/],
];

describe('rendering templates of a chart', () => {
  for (const [template, text] of rendered) {
    it(`does as Helm does: ${JSON.stringify(template)}`, () => {
      expect(render(template)).to.equal(text);
    });
  }

  it('includes what another file defines, with its own dot', () => {
    const names = { '_names.tpl': '{{- define "key" -}} <{{ .key }}> {{- end }}' };
    expect(render('{{ include "key" .Values.map | nindent 1 }}', names)).to.equal('\n <value>');
  });

  for (const [template, why] of refused) {
    it(`refuses what it does not know: ${template}`, () => {
      expect(() => render(template)).to.throw(why);
    });
  }
});

describe('YAML as Go writes it', () => {
  it('has sorted keys, lists that are not indented, and quotes where a text could be something else', () => {
    const value = { b: [1, { y: true, a: [] }], a_c: 'yes', ab: '', a: { k: '1' }, quantity: '500m' };
    expect(goYaml(value).split('\n')).to.deep.equal([
      'a:',
      '  k: "1"',
      'a_c: "yes"',
      'ab: ""',
      'b:',
      '- 1',
      '- a: []',
      '  "y": true',
      'quantity: 500m',
    ]);
  });

  for (const text of ['*', 'a: b', 'two\nlines', '1e5', '2024-01-02', ' x', '#no', 'é', '-', '0.5']) {
    it(`is not guessed: ${JSON.stringify(text)}`, () => {
      expect(() => goYaml({ text })).to.throw('not known here');
    });
  }
});
