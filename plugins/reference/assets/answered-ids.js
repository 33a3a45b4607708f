'use strict';

/**
 * A plugin of Swagger UI that fills in ids which only an answer tells, such as that of an API key that was just created.
 * The links of an operation say where its answer has them. The newest answer counts; what the reader typed stays.
 */
function answeredIds() {
  const filledBodies = new Map();

  const operationsOf = ({ specSelectors }) =>
    Object.entries(specSelectors.specJson().get('paths').toJS()).flatMap(([path, item]) =>
      Object.keys(item)
        .filter((method) => item[method].operationId)
        .map((method) => ({ path, method, operation: item[method] })),
    );

  const exampleOf = ({ requestBody }) => requestBody?.content['application/json']?.example;

  /** `$response.body#/users/0/id`; undefined where the list is empty. */
  const valueAt = (expression, body) =>
    expression
      .replace('$response.body#/', '')
      .split('/')
      .reduce((value, name) => value?.[name], body);

  const fillBody = ({ oas3Actions, oas3Selectors }, { path, method, operation }, name, value) => {
    const example = exampleOf(operation);
    if (example?.[name] === undefined) return;
    const key = `${method} ${path}`;
    const prefilled = ['', JSON.stringify(example, null, 2), filledBodies.get(key)];
    if (!prefilled.includes(oas3Selectors.requestBodyValue(path, method) ?? '')) return;
    const filled = JSON.stringify({ ...example, [name]: value }, null, 2);
    filledBodies.set(key, filled);
    const pathMethod = [path, method];
    oas3Actions.setRequestBodyValue({ value: filled, pathMethod });
    // Otherwise the example takes its place when the operation is opened.
    oas3Actions.setRetainRequestBodyValueFlag({ value: true, pathMethod });
  };

  const fill = (system, name, value) => {
    for (const described of operationsOf(system)) {
      const { path, method } = described;
      if (path.includes(`{${name}}`)) system.specActions.changeParam([path, method], name, 'path', value);
      fillBody(system, described, name, value);
    }
  };

  const setResponse = (original, system) => (path, method, answer) => {
    const result = original(path, method, answer);
    const { links = {} } =
      operationsOf(system).find((one) => one.path === path && one.method === method)?.operation.responses[
        answer.status
      ] ?? {};
    for (const { parameters } of Object.values(links)) {
      for (const [name, expression] of Object.entries(parameters)) {
        const value = valueAt(expression, answer.body);
        if (value !== undefined) fill(system, name, value);
      }
    }
    return result;
  };

  return { statePlugins: { spec: { wrapActions: { setResponse } } } };
}
