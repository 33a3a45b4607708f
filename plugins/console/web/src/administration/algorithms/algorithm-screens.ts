export { AlgorithmPage } from './algorithm-page.tsx';
export { AlgorithmsPage } from './algorithms-page.tsx';
