#!/usr/bin/env node
// Starts the command. V8's compiled code lies beside it and saves the parsing; code that does not fit this node is ignored.
"use strict";
const { readFileSync } = require("node:fs");
const { join } = require("node:path");
const { constants, Script } = require("node:vm");

const filename = join(__dirname, "command.bundle");
// The bundle is one function and plain ASCII, so it need not be decoded.
const source = readFileSync(filename, "latin1");
const loader = constants?.USE_MAIN_CONTEXT_DEFAULT_LOADER;
if (loader === undefined) module._compile(`module.exports = ${source}`, filename);
else {
  const options = { filename, cachedData: compiled(), importModuleDynamically: loader };
  module.exports = new Script(source, options).runInThisContext();
}
module.exports(exports, require, module);

function compiled() {
  try {
    return readFileSync(join(__dirname, "command-BUILD.cache"));
  } catch {
    return undefined;
  }
}
