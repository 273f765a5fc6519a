// `node:assert/strict` where there is no Node: the build puts the package of the same shape in its
// place for the worker suite.
module.exports = require('assert/').strict;
