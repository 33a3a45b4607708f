const { reporters } = require('mocha');

/**
 * Mocha's usual reporter, which also shows why a test is tried again, and tells the process that started mocha that every
 * suite has ended.
 */
module.exports = class extends reporters.Spec {
  constructor(runner, options) {
    super(runner, options);
    runner.on('retry', (test, error) =>
      console.log(`${test.fullTitle()}: tried again after\n${error.stack}`),
    );
    runner.once('end', () => process.send?.({ ended: true }));
  }
};
