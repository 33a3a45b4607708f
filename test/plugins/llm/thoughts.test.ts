import { expect } from 'chai';
import { withoutThoughts } from '../../../plugins/llm/thoughts.ts';

const JSON_WITH_TAG = '{"html":"a</think>b"}';

/** What a model writes → what it answers. */
const leading: Readonly<Record<string, readonly [said: string, answer: string]>> = {
  'is closed': ['<think>They want {"x": 1}?</think>\n\n{"age":41}', '{"age":41}'],
  'lacks its opening tag': ['They want {"age"…}</think>{"age":41}', '{"age":41}'],
  'lacks its opening tag and ends in a sentence': ['I see a cat. </think> A grey cat.', 'A grey cat.'],
  'lacks its opening tag and stands before JSON': ['a person </think> {"age":41}', '{"age":41}'],
  'is <thinking>': ['<thinking>Hm.</thinking>A cat.', 'A cat.'],
  'is <thought>': ['<thought>Hm.</thought>A cat.', 'A cat.'],
  'is <reasoning>': ['<reasoning>Hm.</reasoning>\nA cat.', 'A cat.'],
  'is [THINK]': ['[THINK]Hm.[/THINK]A cat.', 'A cat.'],
  'is written in capitals': ['<THINK>Hm.</THINK>A cat.', 'A cat.'],
  'stands in one line with the answer': ['<think> a cat </think> A cat.', 'A cat.'],
  'is empty': ['<think>\n\n</think>\n\nA cat.', 'A cat.'],
  'holds another': ['<think>a\n<think>b</think>\nc</think>A cat.', 'A cat.'],
  'is opened twice and closed once': ['<think>\na\n<think>\nb\n</think>\nA cat.', 'A cat.'],
  'is closed twice': ['<think>a</think>\nb\n</think>\nA cat.', 'A cat.'],
  'is followed by another': ['<think>a</think><think>b</think>A cat.', 'A cat.'],
  'mentions its tag': ['<think>I close with `</think>`, then\n</think>A cat.', 'A cat.'],
  'holds a draft in a code fence': ['```json\n{"a":1}\n```\nNo.\n</think>\n{"age":41}', '{"age":41}'],
  'stands before JSON with a tag': [`<think>{"b":2}?</think>${JSON_WITH_TAG}`, JSON_WITH_TAG],
  'is never closed': ['<think>They want {"x": 1}? Then', ''],
  'is all there is': ['They want a cat.\n</think>\n', ''],
};

const kept: Readonly<Record<string, string>> = {
  'in JSON': JSON_WITH_TAG,
  'in a list': '["<think>","</think>"]',
  'in JSON within a code fence': `Here you are:\n\`\`\`json\n${JSON_WITH_TAG}\n\`\`\`\nAnything else?`,
  'in JSON within a code fence after other brackets': `For {you}:\n\`\`\`\n${JSON_WITH_TAG}\n\`\`\``,
  'in JSON among words': `Certainly! ${JSON_WITH_TAG} Anything else?`,
  'in a sentence': 'The tag </think> ends a thought.',
  'in quotation marks': 'It ends with "</think>".',
  'with its opening tag, later': 'In XML:\n<thought>Hm.</thought>\nThat is all.',
  'as code': 'Write `<think>` before and `</think>` after.',
};

describe('an answer of a reasoning model', () => {
  for (const [what, [said, answer]] of Object.entries(leading)) {
    it(`loses a leading thought that ${what}`, () => {
      expect(withoutThoughts(said)).to.equal(answer);
    });
  }

  for (const [where, said] of Object.entries(kept)) {
    it(`keeps a tag that stands ${where}`, () => {
      expect(withoutThoughts(said)).to.equal(said);
      expect(withoutThoughts(`<think>Hm.</think>${said}`)).to.equal(said);
    });
  }
});
