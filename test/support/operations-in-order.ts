/** Every operation, in an order in which each finds what it needs. The account of `registerUser` is the administrator. */
export const OPERATIONS_IN_ORDER = `
  registerUser getRegistration loginUser openSession endSession getCurrentUser
  listSessions endSessionById
  getSignInProviders beginSignIn finishSignIn listSignInLinks deleteSignInLink createUser resetUserPassword confirmPasswordReset requestPasswordReset
  listUsers getUser changeUser changeCurrentUser
  listUserSessions endUserSession endUserSessions
  getHealth getSystemHealth listPlugins listSettings listJobs getOpenApiDocument listConsolePages
  listAlgorithms getAlgorithm listVersions getVersion
  getVersionCheck getVersionBadge checkVersion listVersionChecks
  createExample listExamples getExample updateExample deleteExample
  callAlgorithm getCall callThroughGateway checkGateway getGatewayStatistics
  listUserCalls exportUserCalls listCalledAlgorithms getCallStatistics getCallSeries getAlgorithmPerformance getPerformanceSeries getBusiestCallers getLoadSeries watchCalls getGatewayRefusals
  createGroup listGroups getGroup changeGroup addGroupMember listGroupMembers removeGroupMember deleteGroup
  checkPermission createGrant listGrants changeGrant deleteGrant
  getPayloadPolicy updatePayloadPolicy deletePayloadPolicy
  listAuditEntries exportAuditEntries
  createApiKey listApiKeys getApiKey updateApiKey rotateApiKey deleteApiKey
  createGatewayBlock listGatewayBlocks getGatewayBlock updateGatewayBlock deleteGatewayBlock
  createGatewayPolicy listGatewayPolicies getGatewayPolicy
  updateGatewayPolicy deleteGatewayPolicy listGatewayCircuits resetGatewayCircuit
  getLanguageModel generateData describeImage
  createRepository listRepositories getRepository updateRepository deleteRepository
  saveCodeHostingConfiguration getCodeHostingConfiguration testCodeHosting
  createHostedRepository updateHostedRepository deleteCodeHostingConfiguration
  exportCatalogue importCatalogue tryVersion createAlgorithm updateAlgorithm createVersion updateVersion
  setGatewayRoute listGatewayRoutes getGatewayRoute promoteGatewayCanary
  rollBackGatewayRoute deleteGatewayRoute deleteVersion deleteAlgorithm
  deleteUser changePassword logoutUser signOutOfProvider endAllSessions deleteCurrentUser
`
  .trim()
  .split(/\s+/);
