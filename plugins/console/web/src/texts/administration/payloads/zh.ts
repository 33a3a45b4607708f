import { showNumber } from '../../format.ts';
import type { PayloadTexts } from './en.ts';

export const payloads: PayloadTexts = {
  intro:
    '每次调用都会留下记录：谁在何时调用、结果如何。在此设置记录保留哪些输入和输出。调用者总会收到完整的结果；已有的记录不变。',
  changed: (moment, by) => `${by === null ? '' : `${by} `}修改于 ${moment}。`,
  title: '记录保留的内容',
  fields: { input_data: '输入', params: '参数', output_data: '输出' },
  keep: (field) => `${field}：保留内容`,
  modes: { store: '全部', redact: '隐藏部分内容', hash: '摘要', drop: '不保留' },
  meanings: {
    store: '按原样保留。',
    redact: '下列字段记为“[redacted]”。',
    hash: '只能判断两个值是否相同。',
    drop: '不保留任何内容，连是否有值也不保留。',
  },
  pointers: (field) => `${field}：隐藏的字段`,
  pointersHint: '每行一个 JSON 指针；* 表示列表的每一项或对象的每个成员。',
  places: '示例中的字段',
  hide: (place) => `隐藏 ${place}`,
  save: '保存',
  reset: '恢复全部保留',
  resetTitle: '恢复全部保留？',
  resetText: '从下一次调用起，记录会完整保留输入、参数和输出。',
  preview: '记录将保留的内容',
  sample: '示例',
  noSample: '默认版本没有示例。保存一个示例后，可在此查看其记录将保留的内容。',
  unknown: '示例中没有。',
  dropped: '不保留。',
  hashed: '用摘要代替原值',
  howLong: '保留时间',
  payloads: '输入、参数和输出',
  records: '记录本身',
  kept: (days, most) => {
    if (days === 0 && most === 0) return '永久';
    const parts = [
      ...(days > 0 ? [`${showNumber(days)} 天`] : []),
      ...(most > 0 ? [`最多最近 ${showNumber(most)} 次调用`] : []),
    ];
    return parts.join('，');
  },
  bySettings: '由设置决定，适用于所有算法。',
};
