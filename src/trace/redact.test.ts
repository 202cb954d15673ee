import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { cases, everyNth } from "../../tests/cases.ts";
import { EXAMPLES, hex, mixed, uuid } from "../../tests/trace/secret-examples.ts";
import { redactor, secretsIn } from "./redact.ts";
import { SECRET_SHAPES, type SecretShapeName } from "./secret-shapes.ts";

describe("redaction", () => {
  const { text } = redactor();
  const bare = (example: string) => example.replaceAll(/[«»]/g, "");

  it("knows at least forty kinds", () => {
    expect(Object.keys(SECRET_SHAPES).length).toBeGreaterThanOrEqual(40);
  });

  describe.each(Object.entries(EXAMPLES))("of %s", (kind, { secret, clean }) => {
    it("takes it out of every text that holds one, and leaves the rest", () => {
      for (const example of secret) {
        const pattern = example.split(/«[^»]*»/).map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&"));
        expect(text(bare(example))).toMatch(new RegExp(`^${pattern.join("\\[redacted:\\w+\\]")}$`));
      }
    });

    it("says which kind it was", () => {
      const row = SECRET_SHAPES[kind as SecretShapeName];
      for (const example of secret) expect(row.spans(bare(example)), example).not.toEqual([]);
    });

    it("leaves every text alone that holds none", () => {
      expect(clean.map((example) => text(example))).toEqual(clean);
    });
  });

  it("looks into values, lists and names, and leaves the caller's value alone", () => {
    const token = `ghp_${mixed(36)}`;
    const value = { args: { env: [`A=${token}`], n: 1, ok: true, none: null }, [token]: "x" };
    expect(redactor().value(value)).toEqual({
      args: { env: ["A=[redacted:github_token]"], n: 1, ok: true, none: null },
      "[redacted:github_token]": "x",
    });
    expect(value.args.env[0]).toContain(token);
  });

  it.each([
    ["password", "correct horse", true],
    ["DB_PASSWORD", "x", true],
    ["clientSecret", "abc", true],
    ["token", mixed(24), true],
    ["session_key", hex(32), true],
    ["token", "identifier", false],
    ["key", "Enter", false],
    ["tokens", "12 or so", false],
    ["commit", hex(40), false],
    ["password", "$PASSWORD", false],
  ])("under the key %j the value %j is a secret: %s", (key, value, isSecret) => {
    expect(redactor().value({ [key]: value })).toEqual({ [key]: isSecret ? "[redacted:key]" : value });
  });

  it.each([
    ["define('SECURE_AUTH_SALT', '", "JWrcplnur3uvuaJNQJRECJnMmsazTWC3", "');"],
    ['stripe_key: "', "rTYJYAcVCPSpu8ZXGa2gkfbDfuuASlhJhbu+AZQeoyc=", '"'],
    ['"Server=db;Password=', "JrcOJaLTfTjtTGge", ';Encrypt=true"'],
    ["npm config set //r.test/:_authToken ", "-_1tfMsq3b9Sx0sNWvfuULSoqzQGMH5ExZ2StJK4", ""],
  ])("takes what is random by few signs out of %s…", (before, hidden, after) => {
    expect(text(`${before}${hidden}${after}`)).not.toContain(hidden);
  });

  it("leaves an option behind the name of a secret alone", () => {
    expect(text("tool --token --verbose run")).toBe("tool --token --verbose run");
  });

  it("knows the values of the environment's credentials, in every common spelling", () => {
    const secrets = secretsIn({
      MY_TOKEN: 'corr"ect/horse 1',
      HOME: "/home/me",
      API_KEY: "short",
      SSH_KEY: "/home/me/.ssh",
    });
    expect(secrets).toEqual(['corr"ect/horse 1']);
    const seen = redactor(secrets).value({
      a: 'echo corr"ect/horse 1',
      b: btoa('corr"ect/horse 1'),
      c: "corr%22ect%2Fhorse%201",
    });
    expect(JSON.stringify(seen)).not.toMatch(/horse|Y29yciJlY3Q/);
  });

  it("leaves ordinary source code, hashes and ids alone", () => {
    const folder = new URL("../", import.meta.url);
    const files = ["engine", "hook", "rule", "runners", "llm", "config", "decision", "event"].flatMap((room) =>
      readdirSync(new URL(`${room}/`, folder))
        .filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"))
        .map((name) => readFileSync(new URL(`${room}/${name}`, folder), "utf8")),
    );
    const lines = everyNth(10, [...new Set(files.flatMap((file) => file.split("\n")))]);
    const changed = lines.filter((line) => text(line) !== line);
    expect(changed).toEqual([]);
    const hashes = `commit ${hex(40)}\nsha256:${hex(64)}\n${uuid}\n"integrity": "sha512-${mixed(86)}=="\n${hex(7)}..${hex(7)}`;
    expect(text(hashes)).toBe(hashes);
  });

  it.each([
    "eyJ",
    "-----BEGIN RSA PRIVATE KEY-----\n",
    "://a:",
    "password=",
    "password: '",
    "bearer ",
    "aws key ",
    "sk-",
    "heroku ",
    "login -p",
    "M1",
    "a",
    "1/",
    "cookie: a=",
    "\\",
    '\\"',
    '"" ',
    '"AKIA" + ',
    `'AKIA${"ABCDEFGH".repeat(2)}''`,
    `\\"password\\": \\"hunter2\\" `,
  ])("comes to an end with much of %j", (piece) => {
    const much = piece.repeat(Math.ceil(cases(20_000, 200_000) / piece.length));
    expect(text(much).length).toBeGreaterThan(0);
    expect(text(much + "x".repeat(cases(10_000, 100_000))).length).toBeGreaterThan(0);
  });
});
