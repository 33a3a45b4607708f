import { showNumber } from '../../format.ts';
import type { AlgorithmTexts } from './en.ts';

export const algorithms: AlgorithmTexts = {
  intro: '目录中展示的内容、调用的地址，以及谁可以做什么。',
  add: '新建算法',
  search: '按名称、描述或标签搜索',
  anyType: '所有类型',
  anyTag: '所有标签',
  tag: '标签',
  count: (total) => `${showNumber(total)} 个算法`,
  emptyTitle: '还没有算法',
  empty: '只需要一个端点地址，以及描述其输入的 JSON Schema。',
  changed: '修改时间',
  seeInCatalogue: '在目录中查看',
  tabs: {
    general: '基本信息',
    versions: '版本',
    access: '访问权限',
    rollout: '灰度发布',
    payloads: '数据留存',
  },
};
