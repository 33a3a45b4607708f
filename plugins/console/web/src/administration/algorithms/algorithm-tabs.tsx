import type { ComponentType } from 'react';
import type { Algorithm } from '../../api/queries.ts';
import { lazyPart } from '../../part.ts';
import type { AlgorithmTab } from '../addresses.ts';
import { GeneralTab } from './general-tab.tsx';
import { VersionsTab } from './versions-tab.tsx';

/** A tab of the page of an algorithm. */
interface TabView {
  readonly view: ComponentType<{ readonly algorithm: Algorithm }>;
  /** Without it there is nothing to administer. */
  readonly plugin: string;
  /** Whether those who manage the algorithm and are no administrators may do nothing there. */
  readonly isForAdministrators?: true;
}

const AccessTab = lazyPart(() => import('./access/access-tab.tsx'), 'AccessTab');
const RolloutTab = lazyPart(() => import('./rollout/rollout-tab.tsx'), 'RolloutTab');
const PayloadsTab = lazyPart(() => import('./payloads/payloads-tab.tsx'), 'PayloadsTab');

/** By their names; what has no view is not shown. */
export const TAB_VIEWS: { readonly [Name in AlgorithmTab]?: TabView } = {
  general: { view: GeneralTab, plugin: 'catalogue' },
  access: { view: AccessTab, plugin: 'catalogue' },
  rollout: { view: RolloutTab, plugin: 'gateway', isForAdministrators: true },
  payloads: { view: PayloadsTab, plugin: 'invocation' },
  versions: { view: VersionsTab, plugin: 'catalogue' },
};
