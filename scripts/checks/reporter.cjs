const { reporters } = require('mocha');

/** Mocha's usual reporter, which also tells the process that started mocha that every suite has ended. */
module.exports = class extends reporters.Spec {
  constructor(runner, options) {
    super(runner, options);
    runner.once('end', () => process.send?.({ ended: true }));
  }
};
