/** The page "Test data" of the console: describes data in words, and takes what the language model makes of it. */

const TEXTS = {
  en: {
    intro: 'Say what you need, and take it with you: input for an algorithm, a list for a test, a picture.',
    offline: 'No language model is configured here. A stand-in answers, by plain rules.',
    prompt: 'What the data is to be',
    example: 'Five customers with name, city and year of birth',
    kind: 'Form',
    kinds: { json: 'JSON', text: 'Text', image: 'Picture' },
    make: 'Make it up',
    making: 'Making it up …',
    result: 'Result',
    by: (model) => `Made up by ${model}`,
    copy: 'Copy',
    copied: 'Copied',
    save: 'Save',
    failed: 'Nothing was made',
  },
  zh: {
    intro: '说明您的需要，然后带走结果：算法的输入、测试用的列表或图片。',
    offline: '此处未配置语言模型。由替代程序按简单规则回答。',
    prompt: '数据的内容',
    example: '五位客户，含姓名、城市和出生年份',
    kind: '形式',
    kinds: { json: 'JSON', text: '文本', image: '图片' },
    make: '生成',
    making: '正在生成…',
    result: '结果',
    by: (model) => `由 ${model} 生成`,
    copy: '复制',
    copied: '已复制',
    save: '保存',
    failed: '未能生成',
  },
};

export function mount(place, context) {
  const left = new AbortController();
  const state = { prompt: '', kind: 'json', isOffline: false, answer: undefined, error: undefined, isBusy: false };
  const show = () => place.replaceChildren(...screen(TEXTS[context.language] ?? TEXTS.en, state, make));
  const make = async (prompt, kind) => {
    Object.assign(state, { prompt, kind, isBusy: true, error: undefined });
    show();
    try {
      const body = { prompt, data_type: kind };
      state.answer = await context.request('POST', '/llm/generate-data', { body, signal: left.signal });
    } catch (error) {
      state.error = error;
    }
    if (left.signal.aborted) return;
    state.isBusy = false;
    show();
    place.querySelector('h2')?.focus();
  };
  show();
  context.request('GET', '/llm', { signal: left.signal }).then(
    ({ configured }) => {
      const notice = place.querySelector('.notice.warn');
      state.isOffline = !configured;
      if (notice) notice.hidden = configured;
    },
    // The form says what is wrong when it is sent.
    () => {},
  );
  const end = context.onChange(() => {
    // Goes on with what was entered in the meantime.
    const form = place.querySelector('form');
    Object.assign(state, { prompt: form.elements.prompt.value, kind: form.elements.kind.value });
    show();
  });
  return () => {
    left.abort();
    end();
    place.replaceChildren();
  };
}

function screen(texts, state, make) {
  const prompt = element('textarea', {
    className: 'area',
    name: 'prompt',
    id: 'test-data-prompt',
    rows: 3,
    required: true,
    maxLength: 8000,
    placeholder: texts.example,
    value: state.prompt,
  });
  const kind = element(
    'select',
    { className: 'select', name: 'kind', id: 'test-data-kind' },
    Object.entries(texts.kinds).map(([value, name]) =>
      element('option', { value, textContent: name, selected: value === state.kind }),
    ),
  );
  const submit = element('button', {
    type: 'submit',
    className: 'button primary',
    disabled: state.isBusy,
    textContent: state.isBusy ? texts.making : texts.make,
  });
  const form = element('form', { className: 'card' }, [
    element('div', { className: 'body stack' }, [
      field(texts.prompt, prompt),
      field(texts.kind, kind),
      element('div', {}, [submit]),
    ]),
  ]);
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void make(prompt.value, kind.value);
  });
  return [
    element('div', { className: 'stack' }, [
      element('p', { className: 'quiet', textContent: texts.intro }),
      element('p', { className: 'notice warn', textContent: texts.offline, hidden: !state.isOffline }),
      form,
      ...outcome(texts, state),
    ]),
  ];
}

function field(label, control) {
  return element('div', { className: 'field' }, [element('label', { htmlFor: control.id, textContent: label }), control]);
}

function outcome(texts, { answer, error }) {
  if (error) {
    return [
      element('div', { className: 'notice bad', role: 'alert' }, [
        element('h2', { textContent: texts.failed, tabIndex: -1 }),
        element('p', { textContent: error.message }),
      ]),
    ];
  }
  if (!answer) return [];
  const { data, model } = answer;
  const isPicture = typeof data === 'object' && data.content_type?.startsWith('image/');
  return [
    element('section', { className: 'card' }, [
      element('header', {}, [
        element('h2', { textContent: texts.result, tabIndex: -1 }),
        element('span', { className: 'small quiet', textContent: texts.by(model) }),
      ]),
      element('div', { className: 'body stack' }, isPicture ? picture(texts, data) : written(texts, data)),
    ]),
  ];
}

function picture(texts, { content_type, data_base64 }) {
  const src = `data:${content_type};base64,${data_base64}`;
  return [
    element('img', { src, alt: texts.result }),
    element('div', {}, [saveLink(texts, src, `test-data.${content_type.split('/')[1]}`)]),
  ];
}

function written(texts, data) {
  const text = typeof data === 'string' ? data : JSON.stringify(data, null, 2);
  const copy = element('button', { type: 'button', className: 'button small', textContent: texts.copy });
  copy.addEventListener('click', async () => {
    await navigator.clipboard.writeText(text);
    copy.textContent = texts.copied;
  });
  const url = `data:text/plain;charset=utf-8,${encodeURIComponent(text)}`;
  const name = typeof data === 'string' ? 'test-data.txt' : 'test-data.json';
  return [
    element('pre', { className: 'code', tabIndex: 0 }, [element('code', { textContent: text })]),
    element('div', { className: 'row' }, [
      // Browsers offer the clipboard on https and localhost only.
      ...(window.isSecureContext ? [copy] : []),
      saveLink(texts, url, name),
    ]),
  ];
}

function saveLink(texts, href, download) {
  return element('a', { className: 'button small', href, download, textContent: texts.save });
}

function element(name, properties, children = []) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}
