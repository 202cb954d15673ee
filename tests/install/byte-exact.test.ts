import { type ParseError, parse } from "jsonc-parser";
import { describe, expect, it } from "vitest";
import { everyNth } from "../cases.ts";
import { Household } from "./household.ts";
import { fileOf, SETTINGS, WITH_OLD_ENTRIES, WRAPPED_FOR_DROID } from "./settings-files.ts";

describe.each(Object.entries(SETTINGS))("%s", (_, { agent, text, comesBackAlone }) => {
  const file = fileOf(agent);

  it("keeps every byte in order when Sluice is installed, says nothing the second time, and gets back its bytes with the backup and without", () => {
    const house = new Household();
    house.write(file, text);
    const before = house.everything();
    expect(house.install(agent).problems).toEqual([]);
    const once = house.read(file) ?? "";
    expect(isWithin(text, once)).toBe(true);
    expect(once).toMatch(/sluice\.cjs run|\.augment\/hooks\/sluice\.sh/);
    expect(meaning(once)).toMatchObject({ [agent === "droid" ? "PreToolUse" : "hooks"]: expect.anything() });
    const installed = house.everything();
    expect(house.install(agent).changes).toEqual([]);
    expect(house.everything()).toEqual(installed);
    house.uninstall(agent);
    expect(house.everything()).toEqual(before);
    expect(house.uninstall(agent).changes).toEqual([]);

    house.bring(installed);
    house.forgetBackups();
    house.uninstall(agent);
    const after = house.read(file) ?? "";
    if (comesBackAlone) expect(after).toBe(text);
    else expect(bare(after)).toBe(bare(text));
  });
});

// In a test run, every second file; in `npm run fuzz`, all.
describe.each(everyNth(2, Object.entries(SETTINGS)))("%s", (_, { agent, text }) => {
  const file = fileOf(agent);

  it("gets back its bytes after a second install from another place", () => {
    const house = new Household();
    house.write(file, text);
    house.install(agent);
    house.install(agent, "user", { sluice: ["/other/node", "/other/sluice.cjs"] });
    expect(house.read(file)).not.toContain("/opt/sluice/");
    house.uninstall(agent);
    expect(house.read(file)).toBe(text);
  });

  it("keeps what its user changes in between", () => {
    const house = new Household();
    house.write(file, text);
    house.install(agent);
    const edited = (house.read(file) ?? "").replace("{", '{ "addedLater": [1, 2],');
    house.write(file, edited);
    expect(house.install(agent).problems).toEqual([]);
    house.uninstall(agent);
    const after = house.read(file) ?? "";
    expect(withoutEmptyHooks(meaning(after))).toEqual({ addedLater: [1, 2], ...withoutEmptyHooks(meaning(text)) });
    expect(after).not.toContain("/sluice.cjs");
  });
});

describe.each(Object.entries(WITH_OLD_ENTRIES))("an old entry of ours: %s", (_, [before, without]) => {
  it("is taken away by uninstall, and nothing else", () => {
    const house = new Household();
    house.write(".claude/settings.json", before);
    house.uninstall("claude-code");
    expect(house.read(".claude/settings.json")).toBe(without);
  });

  it("is replaced by install", () => {
    const house = new Household();
    house.write(".claude/settings.json", before);
    house.install("claude-code");
    const after = house.read(".claude/settings.json") ?? "";
    expect(after).not.toContain("/old");
    expect(
      after.match(/"(?:[^"\\]|\\.)*sluice(?:[^"\\]|\\.)*"/g)?.every((line) => line.includes("/opt/sluice/dist")),
    ).toBe(true);
    house.uninstall("claude-code");
    expect(house.read(".claude/settings.json")).toBe(without);
  });
});

describe.each(Object.entries(WRAPPED_FOR_DROID))(
  "a file for Droid with our entries under `hooks`, %s",
  (_, [before, without]) => {
    it("gets them on its top level, where Droid reads them, and loses them to uninstall", () => {
      const house = new Household();
      house.write(".factory/hooks.json", before);
      expect(house.install("droid").problems).toEqual([]);
      const text = house.read(".factory/hooks.json") ?? "";
      expect(text).not.toContain("/old/");
      const now = meaning(text);
      expect(now.PreToolUse).toMatchObject([
        { hooks: [{ command: expect.stringContaining("/sluice.cjs run droid") }] },
      ]);
      expect(JSON.stringify(now.hooks ?? {})).not.toContain("sluice");
      expect(house.install("droid").changes).toEqual([]);
      house.uninstall("droid");
      expect(house.read(".factory/hooks.json")).toBe(without);
    });
  },
);

/** Whether all characters of a text occur in another, in their order. */
function isWithin(small: string, large: string): boolean {
  let at = -1;
  for (const sign of small) {
    at = large.indexOf(sign, at + 1);
    if (at === -1) return false;
  }
  return true;
}

function meaning(text: string): Record<string, unknown> {
  const errors: ParseError[] = [];
  const value: unknown = parse(text.replace("\uFEFF", ""), errors, {
    allowTrailingComma: true,
    allowEmptyContent: true,
  });
  if (errors.length > 0) throw new SyntaxError(`no JSON any more: ${text}`);
  return (value ?? {}) as Record<string, unknown>;
}

function withoutEmptyHooks(value: Record<string, unknown>): Record<string, unknown> {
  return bare(JSON.stringify(value.hooks ?? {})) === ""
    ? Object.fromEntries(Object.entries(value).filter(([key]) => key !== "hooks"))
    : value;
}

/** A text without blanks, and without lists and objects that hold nothing. */
function bare(text: string): string {
  let now = text.replaceAll(/\s/g, "");
  for (let before = ""; before !== now; ) {
    before = now;
    now = now.replaceAll(/"(?:hooks|PreToolUse)":(?:\{\}|\[\]),?/g, "").replaceAll(/,\}/g, "}");
  }
  return now.replace(/\{(?:"version":1)?\}$/, "");
}
