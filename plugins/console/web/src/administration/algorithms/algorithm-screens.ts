export { AlgorithmPage } from './algorithm-page.tsx';
export { AlgorithmsPage } from './algorithms-page.tsx';
export { NewAlgorithmPage } from './new-algorithm-page.tsx';
export { VersionPage } from './version-page.tsx';
