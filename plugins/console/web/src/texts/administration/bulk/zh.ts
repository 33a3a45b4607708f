import { showNumber } from '../../format.ts';
import type { BulkTexts } from './en.ts';

export const bulk: BulkTexts = {
  label: '批量修改',
  select: (name) => `选择 ${name}`,
  column: '选择',
  selected: (number) => `已选 ${showNumber(number)} 个`,
  page: (number) => `选择本页 ${showNumber(number)} 个`,
  all: (total) => `选择全部 ${showNumber(total)} 个`,
  clear: '取消选择',
  change: '修改状态……',
  question: (number, status) => `将 ${showNumber(number)} 个算法的状态改为“${status}”？`,
  confirm: (status) => `改为“${status}”`,
  meanings: {
    active: '可以再次调用。',
    inactive: '仍然显示，但所有调用都会被拒绝。',
    deprecated: '仍可使用；调用者会收到即将下线的提示。',
  },
  running: (status) => `正在将状态改为“${status}”`,
  looking: '正在查找所有符合条件的算法……',
  progress: (done, total) => `${showNumber(done)} / ${showNumber(total)}`,
  ended: (status) => `已将状态改为“${status}”`,
  summary: (changed, unchanged, failed, left) =>
    [
      `已修改 ${showNumber(changed)} 个`,
      ...(unchanged > 0 ? [`${showNumber(unchanged)} 个无需修改`] : []),
      ...(failed > 0 ? [`${showNumber(failed)} 个失败`] : []),
      ...(left > 0 ? [`${showNumber(left)} 个未处理`] : []),
    ].join('，') + '。',
  again: (number) => `重试 ${showNumber(number)} 个算法`,
  failures: '失败的算法',
  why: '原因',
};
