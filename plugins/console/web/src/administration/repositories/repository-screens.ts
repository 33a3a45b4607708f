export { HostingPage } from './hosting-page.tsx';
export { RepositoriesArea } from './repositories-area.tsx';
export { RepositoriesPage } from './repositories-page.tsx';
