import { execFileSync } from "node:child_process";
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { type Project, project } from "../cli/sluice.ts";
import { runCommand } from "../command-server/run-command.ts";
import { claimsOf } from "./claims.ts";

const STRICT = `hooks:
  - name: no-deploy
    event: tool:pre_execute
    rules: 'args.command contains "deploy" -> deny("not from here")'
`;
const LOOSE = "hooks: []\n";
const UNCHANGED = "Nothing would be decided otherwise.";

function git(folder: string, ...args: string[]): void {
  execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...args], { cwd: folder, stdio: "ignore" });
}

/** A repository whose last commit has this policy. */
function repository(policy = STRICT): Project {
  const at = project({ ".sluice/hooks.yaml": policy });
  git(at.root, "init", "-q");
  git(at.root, "add", ".sluice");
  git(at.root, "commit", "-qm", "hooks");
  return at;
}

/** The same user in another folder. */
function inFolder(at: Project, folder: string) {
  const { NODE_EXTRA_CA_CERTS: _, ...rest } = process.env;
  const [XDG_CONFIG_HOME, XDG_STATE_HOME] = [join(at.home, ".config"), join(at.home, ".state")];
  const env = { ...rest, HOME: at.home, XDG_CONFIG_HOME, XDG_STATE_HOME, NO_COLOR: "", SLUICE_RESIDENT: "0" };
  return (...args: string[]) => runCommand(args, { cwd: folder, env });
}

function record(sluice: (...args: string[]) => unknown, command: string): void {
  sluice("trust", "--yes");
  sluice("fire", "tool:pre_execute", "--tool", "Bash", "--args", JSON.stringify({ command }));
}

/** Everything that the journal has, as a file. */
function journalOf(at: Project): string {
  const folder = join(at.home, ".state/sluice/decisions");
  const path = join(at.home, "calls.jsonl");
  for (const name of readdirSync(folder).filter((entry) => entry.endsWith(".jsonl")))
    appendFileSync(path, readFileSync(join(folder, name)));
  return path;
}

function loosened(at: Project, folder: string): void {
  record(inFolder(at, folder), "make deploy");
  writeFileSync(join(at.root, ".sluice/hooks.yaml"), LOOSE);
  const { code, out } = at.sluice("replay");
  expect([code, out]).toEqual([1, expect.stringContaining("deny → continue  1 call in 1 session")]);
  expect(out).not.toContain(UNCHANGED);
  const report = JSON.parse(at.sluice("replay", "--json").out);
  expect(report.policies).toEqual([
    { hash: expect.stringMatching(/^[0-9a-f]{12}$/), from: "the working tree", calls: 1 },
  ]);
}

claimsOf("sluice replay", [
  {
    says: `"${UNCHANGED}", exit code 0`,
    whenTrue: () => {
      const at = repository();
      record(at.sluice, "make deploy");
      const { code, out } = at.sluice("replay");
      expect([code, out]).toEqual([0, expect.stringContaining(UNCHANGED)]);
    },
    whenFalse: {
      "a call of another worktree would pass": () => {
        const at = repository();
        git(at.root, "worktree", "add", "-q", join(at.home, "other"));
        loosened(at, join(at.home, "other"));
      },
      "a call of another clone would pass": () => {
        const at = repository();
        git(at.home, "clone", "-q", at.root, "other");
        loosened(at, join(at.home, "other"));
      },
      "a call of a worktree inside the project that is gone would pass": () => {
        const at = repository();
        const folder = join(at.root, "trees/one");
        git(at.root, "worktree", "add", "-q", folder);
        record(inFolder(at, folder), "make deploy");
        rmSync(folder, { recursive: true });
        writeFileSync(join(at.root, ".sluice/hooks.yaml"), LOOSE);
        expect(at.sluice("replay").out).toContain("deny → continue  1 call");
      },
      "a call was judged by the policy of another project": () => {
        const at = repository();
        const other = join(at.home, "unrelated");
        mkdirSync(join(other, ".sluice"), { recursive: true });
        writeFileSync(join(other, ".sluice/hooks.yaml"), STRICT);
        record(inFolder(at, other), "make deploy");
        record(at.sluice, "make deploy");
        const calls = journalOf(at);
        const { out } = at.sluice("replay", "--from", calls);
        expect(out).not.toContain(UNCHANGED);
        expect(out).toContain(`1 call judged by the policy of ${other}`);
        expect(out).toContain("1 of 2 calls were judged by other policies than the named ones");
        expect(JSON.parse(at.sluice("replay", "--from", calls, "--json").out).policies).toEqual([
          expect.objectContaining({ from: other, calls: 1 }),
          expect.objectContaining({ from: "the working tree", calls: 1 }),
        ]);
        // A named policy judges the calls of every project.
        writeFileSync(join(at.home, "loose.yaml"), LOOSE);
        const named = at.sluice("replay", "--from", calls, "--policy", "../loose.yaml", "--json");
        expect(JSON.parse(named.out).policies).toEqual([expect.objectContaining({ from: "../loose.yaml", calls: 2 })]);
        expect(named.code).toBe(1);
      },
      "what the policies come to cannot be told": () => {
        const at = repository("hooks:\n  - { name: runs, event: 'tool:pre_execute', command: 'exit 0' }\n");
        record(at.sluice, "ls");
        writeFileSync(
          join(at.root, ".sluice/hooks.yaml"),
          "hooks:\n  - { name: x, event: 'tool:*', command: 'exit 1' }\n",
        );
        const { out } = at.sluice("replay");
        expect(out).not.toContain(UNCHANGED);
        expect(out).toContain("No difference was found, but 1 of 1 calls cannot be judged.");
        at.sluice("replay", "--html", "r.html");
        expect(readFileSync(join(at.root, "r.html"), "utf8")).not.toContain("Nothing would be");
      },
      "the newer policy cannot be read whole": () => {
        const at = repository(LOOSE);
        record(at.sluice, "ls");
        writeFileSync(join(at.root, ".sluice/hooks.yaml"), "hooks: [\n");
        expect(at.sluice("replay").out).toContain("a policy could not be read whole");
      },
      "no call is recorded": () => expect(repository().sluice("replay").out).not.toContain(UNCHANGED),
    },
  },
  {
    says: '"Wrote x.hooks.test.yaml; `sluice test x.hooks.test.yaml` runs it."',
    whenTrue: () => {
      const at = repository();
      record(at.sluice, "make deploy");
      writeFileSync(join(at.root, ".sluice/hooks.yaml"), LOOSE);
      expect(at.sluice("replay", "--make-tests", "x.hooks.test.yaml").err).toContain("Wrote x.hooks.test.yaml;");
      expect(at.sluice("test", "x.hooks.test.yaml").code).toBe(0);
    },
    whenFalse: {
      "nothing differs": () => {
        const at = repository();
        record(at.sluice, "make deploy");
        const { code, err } = at.sluice("replay", "--make-tests", "x.hooks.test.yaml");
        expect([code, err]).toEqual([0, expect.stringContaining("there is nothing to make tests from")]);
        expect(err).not.toContain("Wrote");
        expect(existsSync(join(at.root, "x.hooks.test.yaml"))).toBe(false);
      },
    },
  },
]);
