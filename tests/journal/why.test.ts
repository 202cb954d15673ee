import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type Project, project } from "../cli/sluice.ts";

const RULES = `hooks:
  - name: no-sudo
    event: tool:pre_execute:@shell
    rules: |
      args.command contains "sudo" -> deny("no sudo here")
      args.command contains "wget" -> modify(args.command, "curl x")
      args.command contains "npm" -> ask("really?")
`;

/** A project whose user has these rules. */
function guarded(): Project {
  const at = project();
  mkdirSync(join(at.home, ".config/sluice"), { recursive: true });
  writeFileSync(rulesOf(at), RULES);
  return at;
}

const rulesOf = ({ home }: Project) => join(home, ".config/sluice/hooks.yaml");
const journal = ({ home }: Project) => join(home, ".state/sluice/decisions");
const fire = (at: Project, command: string, ...more: string[]) =>
  at.sluice("fire", "tool:pre_execute", "--tool", "Bash", "--args", JSON.stringify({ command }), ...more);
const idIn = (err: string) => /sluice why ([0-9a-f]{6})/.exec(err)?.[1] ?? "none";

function journalText(at: Project): string {
  const names = readdirSync(journal(at));
  return names.map((name) => readFileSync(join(journal(at), name), "utf8")).join("");
}

describe("sluice why", () => {
  it("explains a denial: the event, the hook with its place, and which part of which rule matched on which value", () => {
    const at = guarded();
    const { code, err } = fire(at, "sudo ls", "--session", "s-1");
    expect(code).toBe(2);
    const why = at.sluice("why", idIn(err));
    expect(why.code).toBe(0);
    for (const words of [
      "deny  no sudo here",
      "tool:pre_execute  Bash",
      "s-1",
      "no-sudo  inline  ~/.config/sluice/hooks.yaml:2  user",
      "rule 1 matches and decides",
      'args.command is "sudo ls"',
    ])
      expect(why.out).toContain(words);
  });

  it("takes the beginning of an id, from any folder, and gives programs everything", () => {
    const at = guarded();
    const id = idIn(fire(at, "sudo ls").err);
    const { out } = at.sluice("why", id.slice(0, 4), "--json", "--root", at.root);
    expect(JSON.parse(out)).toMatchObject({
      id,
      action: "deny",
      root: at.root,
      results: [{ hook: "no-sudo", kind: "inline", line: 2 }],
      explained: [{ hook: "no-sudo", since: "unchanged", rules: [{ decides: true }, {}, {}] }],
    });
  });

  it("without an id means the last decision that stood in the way", () => {
    const at = guarded();
    fire(at, "sudo a");
    const asked = idIn(fire(at, "npm b").err);
    fire(at, "ls");
    expect(at.sluice("why").out).toMatch(new RegExp(`^${asked}  ask  really\\?`));
  });

  it("lists the latest decisions, newest first", () => {
    const at = guarded();
    for (const command of ["sudo a", "ls", "wget b"]) fire(at, command);
    const { out } = at.sluice("why", "--last", "2");
    expect(out.trim().split("\n")).toHaveLength(2);
    expect(out).toMatch(/modify.*\n.*continue/);
    expect(JSON.parse(at.sluice("why", "--last", "9", "--json").out).decisions).toHaveLength(3);
  });

  it("shows what hooks changed, before and after", () => {
    const at = guarded();
    const { id } = JSON.parse(fire(at, "wget b", "--json").out);
    expect(at.sluice("why", id).out).toMatch(/- command: "wget b"\n\s+\+ command: "curl x"/);
  });

  it("says when a hook was changed since, or is gone", () => {
    const at = guarded();
    const id = idIn(fire(at, "sudo ls").err);
    writeFileSync(rulesOf(at), RULES.replace("no sudo here", "never"));
    expect(at.sluice("why", id).out).toContain("This hook was changed since");
    writeFileSync(rulesOf(at), "hooks: []\n");
    expect(at.sluice("why", id).out).toContain("This hook is no longer there");
  });

  it.each([
    [["why"], "No remembered decision denied or asked anything"],
    [["why", "000000"], 'No remembered decision has the id "000000"'],
    [["why", "xyz"], '"xyz" is not the id of a decision'],
  ])("answers %j with the next step when there is nothing to show", (args, words) => {
    const { code, out, err } = project().sluice(...args);
    expect([code, out]).toEqual([1, ""]);
    expect(err).toContain(words);
    expect(err).toContain("sluice why --last 10");
  });

  it("asks for more of an id that fits several decisions", () => {
    const at = guarded();
    fire(at, "sudo ls");
    const file = join(journal(at), readdirSync(journal(at))[0] ?? "");
    const line = readFileSync(file, "utf8");
    for (const id of ["abc111", "abc222"])
      writeFileSync(file, line.replace(/"id":"\w+"/, `"id":"${id}"`), { flag: "a" });
    const { code, err } = at.sluice("why", "abc");
    expect(code).toBe(1);
    expect(err).toMatch(/2 decisions begin with "abc": abc222, abc111\.\n\s+Write more of it: sluice why abc222/);
  });

  it("passes over a torn line, and says so", () => {
    const at = guarded();
    const id = idIn(fire(at, "sudo ls").err);
    writeFileSync(join(journal(at), readdirSync(journal(at))[0] ?? ""), '{"v":1,"id":"to', { flag: "a" });
    const { code, out, err } = at.sluice("why");
    expect(code).toBe(0);
    expect(out).toContain(id);
    expect(err).toContain("1 line of");
  });

  it("shows nothing from a record that could move the cursor", () => {
    const at = guarded();
    fire(at, "sudo \u001b[2J ls");
    expect(at.sluice("why").out).not.toContain("\u001b");
  });
});

describe("sluice fire", () => {
  it("is recorded like every call, also where no hook matched", () => {
    const at = guarded();
    at.sluice("fire", "session:start");
    expect(journalText(at)).toContain('"event":"session:start"');
  });

  it("writes no secret down, neither one with a known shape nor one of the environment", () => {
    const at = guarded();
    const token = `ghp_${"aB3dE5gH7j".repeat(4)}`;
    process.env.PLANTED_TOKEN = "planted-value-77";
    try {
      fire(at, `sudo curl -H 'Authorization: Bearer ${token}' https://me:hunter2@x.y planted-value-77`);
    } finally {
      delete process.env.PLANTED_TOKEN;
    }
    const text = journalText(at);
    expect(text).toContain("no sudo here");
    for (const secret of [token, "hunter2", "planted-value-77"]) expect(text).not.toContain(secret);
    expect(at.sluice("why").out).toContain("A secret was taken out");
  });

  it.each<[string, (at: Project) => void]>([
    ["a planted link", (at) => symlinkSync(join(at.root, "victim"), journal(at))],
    ["a file in place of the folder", (at) => writeFileSync(journal(at), "")],
  ])("decides the same and says so when %s keeps it from remembering", (_, plant) => {
    const at = guarded();
    mkdirSync(join(at.home, ".state/sluice"), { recursive: true });
    mkdirSync(join(at.root, "victim"));
    plant(at);
    const { code, out, err } = fire(at, "sudo ls");
    expect(code).toBe(2);
    expect(out).toMatch(/✗ deny {2}no-sudo .*\n {6}no sudo here\n/);
    expect(err).toContain("The decision is not in the journal");
    expect(err).not.toContain("sluice why");
    expect(readdirSync(join(at.root, "victim"))).toEqual([]);
    expect(JSON.parse(fire(at, "sudo ls", "--json").out).problems).toMatchObject([{ code: "journal/foreign" }]);
  });

  it("decides the same when the file cannot be written", () => {
    const at = guarded();
    for (const days of [0, 1])
      mkdirSync(join(journal(at), `${new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)}.jsonl`), {
        recursive: true,
      });
    const { code, err } = fire(at, "sudo ls");
    expect(code).toBe(2);
    expect(err).toContain("cannot be written, it is a folder");
  });
});
