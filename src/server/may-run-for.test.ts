import { describe, expect, it } from "vitest";
import type { HookKind } from "../hook/schema.ts";
import { mayRunFor } from "./answer-request.ts";

const OWN = { HOME: "/h", PATH: "/bin", GIT_CONFIG_NOSYSTEM: "1" };

function heard(kinds: readonly HookKind[], usesNetwork = false) {
  return { kinds, usesNetwork, root: "/p", patience: 1000 };
}

describe("a daemon has hooks run for a caller", () => {
  it.each([
    ["with variables of his own", { PATH: "/bin", TOKEN: "x", TMPDIR: "/t" }],
    ["whatever hooks never see of him", { PATH: "/bin", LD_PRELOAD: "x", NODE_OPTIONS: "-r x", GIT_SSH: "x" }],
    ["with certificates, which programs read themselves", { PATH: "/bin", NODE_EXTRA_CA_CERTS: "/c" }],
  ])("%s", (_, env) => expect(mayRunFor(env, OWN, heard(["command", "plugin"]))).toBe(true));

  it("also inside of node, where node would have started the same", () => {
    const env = { PATH: "/bin", NODE_ENV: "test", NODE_EXTRA_CA_CERTS: "/c" };
    expect(mayRunFor(env, OWN, heard(["plugin", "http"]))).toBe(true);
  });
});

describe("a daemon has no hooks run for a caller", () => {
  it.each([
    ["who finds other programs", { PATH: "/evil:/bin" }],
    ["who finds none", {}],
    ["who means another repository", { PATH: "/bin", GIT_DIR: "/evil" }],
  ])("%s", (_, env) => expect(mayRunFor(env, OWN, heard(["command"]))).toBe(false));

  it.each([
    ["who spells it otherwise", { Path: "C:\\evil" }],
    ["who has other suffixes of programs", { Path: "C:\\bin", PathExt: ".EVIL" }],
  ])("%s, where the case of a name does not count", (_, env) =>
    expect(mayRunFor(env, { Path: "C:\\bin" }, heard(["command"]), "win32")).toBe(false),
  );

  it.each([
    ["other options", { PATH: "/bin", NODE_OPTIONS: "" }, false],
    ["what node loads", { PATH: "/bin", NODE_PATH: "/x" }, false],
    ["certificates for a connection", { PATH: "/bin", NODE_EXTRA_CA_CERTS: "/c" }, true],
    ["other certificates for one", { PATH: "/bin", SSL_CERT_FILE: "/c" }, true],
  ])("whose node would have started with %s, inside of it", (_, env, usesNetwork) =>
    expect(mayRunFor(env, OWN, heard(["http"], usesNetwork))).toBe(false),
  );
});
