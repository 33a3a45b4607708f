/** Every operation, in an order in which each finds what it needs. The account of `registerUser` is the administrator. */
export const OPERATIONS_IN_ORDER = `
  registerUser getRegistration loginUser openSession endSession getCurrentUser
  listSessions endSessionById listUsers getUser changeUser
  getHealth getSystemHealth getOpenApiDocument
  listAlgorithms getAlgorithm listVersions getVersion
  createExample listExamples getExample updateExample deleteExample
  callAlgorithm getCall callThroughGateway checkGateway getGatewayStatistics
  listUserCalls exportUserCalls listCalledAlgorithms getCallStatistics getCallSeries getAlgorithmPerformance getPerformanceSeries
  checkPermission createGrant listGrants deleteGrant
  getPayloadPolicy updatePayloadPolicy deletePayloadPolicy
  createApiKey listApiKeys updateApiKey rotateApiKey deleteApiKey
  createGatewayBlock listGatewayBlocks getGatewayBlock updateGatewayBlock deleteGatewayBlock
  createGatewayPolicy listGatewayPolicies getGatewayPolicy
  updateGatewayPolicy deleteGatewayPolicy
  getLanguageModel generateData describeImage
  createRepository listRepositories getRepository updateRepository deleteRepository
  saveCodeHostingConfiguration getCodeHostingConfiguration testCodeHosting
  createHostedRepository updateHostedRepository deleteCodeHostingConfiguration
  createAlgorithm updateAlgorithm createVersion updateVersion
  setGatewayRoute listGatewayRoutes getGatewayRoute promoteGatewayCanary
  rollBackGatewayRoute deleteGatewayRoute deleteVersion deleteAlgorithm
  changePassword logoutUser endAllSessions
`
  .trim()
  .split(/\s+/);
