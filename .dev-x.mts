import { readJson } from './plugins/invocation/calling/http/json-answer.ts';
const hostile = {
    kind: 'echo',
    quotes: `' " \` """ ''' $HOME $(id) \${x} %s \\n \\ */ // # {{x}} <!-- </script>`,
    lines: 'one\ntwo\r\n\ttabs\u2028separator\nVITRINE\n',
    unicode: 'schön 漢字 🦊 e\u0301 \u202Eabc @@ @@@',
    'a "key" of its own': { nested: [true, false, null, 0.1, -1e-9, 12345678901, [], {}, [[1], ['a']]] },
    numbers: Array.from({ length: 60 }, (_, i) => i / 7),
};
const r = readJson(Buffer.from(JSON.stringify({ echo: hostile })), 8e6);
console.log('fault' in r ? r.fault : 'ok');
