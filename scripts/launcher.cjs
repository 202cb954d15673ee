#!/usr/bin/env node
// Starts the command. V8's compiled code lies beside it and saves the parsing; code that does not fit this node is ignored.
"use strict";
const { readFileSync, writeSync } = require("node:fs");
const { join } = require("node:path");
const { Script } = require("node:vm");

const UNANSWERED = 86;

// An agent goes on at any exit code but 2: whatever breaks while one waits, the gate stays shut and says why.
if (process.argv[2] === "run") {
  process.exitCode = UNANSWERED;
  process.on("uncaughtException", ({ message }) => refuse(message));
  process.on("exit", () => {
    if (process.exitCode === UNANSWERED) refuse("it ended without an answer");
  });
}

const [verb] = process.argv.slice(2);
const isCall = verb === "run" || verb === "fire";
const filename = join(__dirname, isCall ? "call.bundle" : "command.bundle");
// The bundle is one function and plain ASCII, so it need not be decoded.
const source = readFileSync(filename, "latin1");
const command = new Script(source, { filename, cachedData: compiled() }).runInThisContext();
if (isCall) runOnce();
command(exports, require, module, (name) => import(name));

/** Code that runs once is not worth a compiler's time: V8's first one takes a tenth of a call, and wins nothing back. */
function runOnce() {
  const { noDeprecation } = process;
  process.noDeprecation = true;
  try {
    // The documented way, `node:v8`, takes longer to load than most of what this saves.
    process
      .binding("v8")
      .setFlagsFromString("--no-sparkplug --no-regexp-peephole-optimization --regexp-tier-up-ticks=50");
  } catch {
    // Another node may not let us; the call is only slower then.
  }
  process.noDeprecation = noDeprecation;
}

function compiled() {
  try {
    return readFileSync(join(__dirname, `${isCall ? verb : "command"}-BUILD.cache`));
  } catch {
    return undefined;
  }
}

function refuse(why) {
  writeSync(2, `Sluice could not decide: ${why}. This is a fault in Sluice; \`sluice doctor\` looks for its cause.\n`);
  process.exit(2);
}
