// What the bundles of the command take for node:module: Node needs half a millisecond to load that, and few calls use it.
exports.createRequire = (from) => require("module").createRequire(from);
exports.isBuiltin = (name) => require("module").isBuiltin(name);
