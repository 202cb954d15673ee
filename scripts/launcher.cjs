#!/usr/bin/env node
// Starts the command. V8's compiled code lies beside it and saves the parsing; code that does not fit this node is ignored.
"use strict";
const { readFileSync } = require("node:fs");
const { join } = require("node:path");
const { constants, Script } = require("node:vm");

const filename = join(__dirname, "command.cjs");
const loader = constants?.USE_MAIN_CONTEXT_DEFAULT_LOADER;
const compiled = loader && read(join(__dirname, "command-BUILD.cache"));
if (compiled === undefined) require(filename);
else {
  const source = `(function (exports, require, module) {${read(filename)}\n})`;
  const script = new Script(source, { filename, cachedData: compiled, importModuleDynamically: loader });
  script.runInThisContext()(exports, require, module);
}

// The bundle is plain ASCII, so it need not be decoded.
function read(file) {
  try {
    return file.endsWith(".cache") ? readFileSync(file) : readFileSync(file, "latin1");
  } catch {
    return undefined;
  }
}
