export { BlocksPage } from './blocks-page.tsx';
export { CheckPage } from './check-page.tsx';
export { CircuitsPage } from './circuits-page.tsx';
export { GatewayPage } from './gateway-page.tsx';
export { PoliciesPage } from './policies-page.tsx';
