/** Draws the nodes that the sample "Decision tree" answers: questions, and below each what follows from yes and from no. */

const TEXTS = {
  en: { yes: 'yes', no: 'no', rows: (count) => `${count} ${count === 1 ? 'row' : 'rows'}` },
  zh: { yes: '是', no: '否', rows: (count) => `${count} 行` },
};

let port;
const shown = { language: 'en', theme: 'light', value: [] };

addEventListener('message', ({ source, data, ports }) => {
  if (source !== parent || port !== undefined || data?.type !== 'vitrine:start') return;
  [port] = ports;
  port.onmessage = ({ data: message }) => message.type === 'change' && draw(message);
  draw(data);
  new ResizeObserver(tellHeight).observe(document.body);
  port.postMessage({ type: 'ready' });
});

function draw(message) {
  Object.assign(shown, message);
  document.documentElement.dataset.theme = shown.theme;
  document.documentElement.lang = shown.language;
  const nodes = new Map(shown.value.map((node) => [node.node, node]));
  const tree = document.createElement('ul');
  tree.append(branch(nodes, 1, ''));
  document.body.replaceChildren(tree);
  // At once: browsers tell no observer of a frame that is out of sight.
  tellHeight();
}

function tellHeight() {
  port.postMessage({ type: 'resize', height: document.body.scrollHeight });
}

function branch(nodes, number, way) {
  const texts = TEXTS[shown.language] ?? TEXTS.en;
  const node = nodes.get(number);
  const item = document.createElement('li');
  if (way !== '') item.append(span('way', `${way}: `));
  if (node.column === null) {
    item.append(span('leaf', node.prediction), span('few', ` ${texts.rows(node.rows)}, ${percent(node.share)}`));
    return item;
  }
  const below = document.createElement('ul');
  below.append(branch(nodes, node.left, texts.yes), branch(nodes, node.right, texts.no));
  item.append(span('question', `${node.column} ≤ ${Number(node.threshold.toPrecision(4))}?`), below);
  return item;
}

function span(name, text) {
  const element = document.createElement('span');
  element.className = name;
  element.textContent = text;
  return element;
}

function percent(share) {
  return new Intl.NumberFormat(shown.language, { style: 'percent' }).format(share);
}
