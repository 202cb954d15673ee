import { execFileSync } from "node:child_process";
import { appendFileSync, mkdirSync, readFileSync, renameSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect } from "vitest";
import { type Project, project } from "../cli/sluice.ts";
import { runCommand } from "../command-server/run-command.ts";
import { claimsOf } from "./claims.ts";

function git({ root }: Project, ...args: string[]): void {
  execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...args], { cwd: root, stdio: "ignore" });
}

/** A repository with a trace, and a commit that the branch `base` points to. */
function repository(files: Readonly<Record<string, string>> = { "old.ts": "one();\ntwo();\nthree();\n" }): Project {
  const at = project({ ".orchestration/.keep": "", ...files });
  git(at, "init", "-q");
  commit(at);
  git(at, "branch", "base");
  return at;
}

function commit(at: Project): void {
  git(at, "add", "-A");
  git(at, "commit", "-qm", "work");
}

/** A call of an agent, with what its tool does in between. */
function called({ root, home }: Project, file: string, act: () => void, tool = "Write"): void {
  const [XDG_CONFIG_HOME, XDG_STATE_HOME] = [join(home, ".config"), join(home, ".state")];
  const env = { ...process.env, HOME: home, XDG_CONFIG_HOME, XDG_STATE_HOME, SLUICE_RESIDENT: "0" };
  const report = (type: string) => {
    const tool_args = tool === "Write" ? { file_path: file } : { command: file };
    const data = { tool_use_id: file, tool_args };
    const input = JSON.stringify({ type, tool_name: tool, session_id: "s1", cwd: root, data });
    return runCommand(["run", "json", "--cold"], { cwd: root, env, input });
  };
  expect(report("tool:pre_execute").code).toBe(0);
  act();
  expect(report("tool:post_execute").code).toBe(0);
}

function wrote(at: Project, file: string, text: string): void {
  called(at, file, () => byHand(at, file, text));
}

function byHand({ root }: Project, file: string, text: string): void {
  mkdirSync(dirname(join(root, file)), { recursive: true });
  writeFileSync(join(root, file), text);
}

const EXPLAINED = "Every change is explained";

function notExplained(at: Project, file: string, ...args: string[]): void {
  const { code, out } = at.sluice("trace", "audit", ...args);
  expect([code, out]).toEqual([1, expect.stringContaining(`  ${file}  `)]);
  expect(out).not.toContain(EXPLAINED);
}

const trace = ({ root }: Project) => join(root, ".orchestration/agent_trace.jsonl");

claimsOf("sluice trace audit", [
  {
    says: `"${EXPLAINED}: 2 changed files looked at", exit code 0`,
    whenTrue: () => {
      const at = repository();
      wrote(at, "old.ts", "one();\nnew();\nthree();\n");
      commit(at);
      wrote(at, "new.ts", "export {};\n");
      // A checkout gives files other times; what they hold is the same.
      utimesSync(join(at.root, "old.ts"), new Date(), new Date(Date.now() + 60_000));
      const { code, out } = at.sluice("trace", "audit", "--base", "base");
      expect([code, out]).toEqual([0, expect.stringContaining(`${EXPLAINED}: 2 changed files looked at`)]);
      expect(JSON.parse(at.sluice("trace", "audit", "--json").out)).toMatchObject({ looked_at: 1, by: "git" });
    },
    whenFalse: {
      "a change by hand was committed since the base": () => {
        const at = repository();
        wrote(at, "new.ts", "export {};\n");
        byHand(at, "old.ts", "by hand\n");
        commit(at);
        notExplained(at, "old.ts", "--base", "base");
      },
      "a file was deleted and committed by hand": () => {
        const at = repository();
        rmSync(join(at.root, "old.ts"));
        commit(at);
        notExplained(at, "old.ts", "--base", "base");
      },
      "a change by hand is not committed": () => {
        const at = repository();
        byHand(at, "old.ts", "by hand\n");
        notExplained(at, "old.ts");
      },
      "a file is not tracked": () => {
        const at = repository();
        byHand(at, "new.ts", "by hand\n");
        notExplained(at, "new.ts", "--base", "base");
      },
      "a file changed after its last recorded call": () => {
        const at = repository();
        wrote(at, "old.ts", "one();\nnew();\nthree();\n");
        appendFileSync(join(at.root, "old.ts"), "by hand\n");
        utimesSync(join(at.root, "old.ts"), new Date(), new Date(Date.now() + 60_000));
        notExplained(at, "old.ts", "--base", "base");
      },
      "lines were written by hand before a recorded call changed others": () => {
        const at = repository();
        byHand(at, "old.ts", "by hand\none();\ntwo();\nthree();\n");
        wrote(at, "old.ts", "by hand\none();\ntwo();\nthree();\nfour();\n");
        notExplained(at, "old.ts", "--base", "base");
        expect(at.sluice("trace", "audit").out).toContain("no recorded call wrote some of its lines (1)");
      },
      "the project is a folder of the repository": () => {
        const at = repository();
        const below = { ...at, root: join(at.root, "packages/a") };
        byHand(below, ".sluice/hooks.yaml", "hooks: []\n");
        byHand(below, "x.ts", "by hand\n");
        const env = { ...process.env, HOME: at.home, XDG_STATE_HOME: join(at.home, ".state") };
        const { code, out } = runCommand(["trace", "audit"], { cwd: below.root, env });
        expect([code, out]).toEqual([1, expect.stringContaining("  x.ts  ")]);
      },
      "the trace is broken": () => {
        const at = repository();
        wrote(at, "old.ts", "new();\n");
        writeFileSync(trace(at), readFileSync(trace(at), "utf8").replace('"session_id":"s1"', '"session_id":"s2"'));
        const { code, out, err } = at.sluice("trace", "audit");
        expect([code, err]).toEqual([1, expect.stringContaining("trace BROKEN")]);
        expect(out).not.toContain(EXPLAINED);
      },
      "no file was looked at": () => {
        const at = repository();
        const { code, out } = at.sluice("trace", "audit");
        expect([code, out]).toEqual([
          0,
          expect.stringContaining("nothing to look at: no file differs from the last commit"),
        ]);
        expect(out).not.toContain(EXPLAINED);
      },
      "nothing could be compared": () => {
        const at = project({ ".orchestration/.keep": "", "a.ts": "a\n" });
        const { code, out } = at.sluice("trace", "audit");
        expect([code, out]).toEqual([1, expect.stringContaining("nothing to look at: this is not a git repository")]);
      },
      "the base is not a commit": () => {
        const { code, out, err } = repository().sluice("trace", "audit", "--base", "nowhere");
        expect([code, out, err]).toEqual([
          expect.any(Number),
          "",
          expect.stringContaining("--base nowhere is not a commit"),
        ]);
        expect(code).not.toBe(0);
      },
    },
  },
]);

claimsOf("sluice trace verify", [
  {
    says: '"trace OK, hash chain intact", exit code 0',
    whenTrue: () => {
      const at = repository();
      wrote(at, "new.ts", "export {};\n");
      const { code, out } = at.sluice("trace", "verify");
      expect([code, out]).toEqual([0, expect.stringContaining("trace OK, hash chain intact: 1 record.")]);
    },
    whenFalse: {
      "a record was changed": () => {
        const at = repository();
        wrote(at, "new.ts", "export {};\n");
        writeFileSync(trace(at), readFileSync(trace(at), "utf8").replace("new.ts", "old.ts"));
        expect(at.sluice("trace", "verify")).toMatchObject({ code: 1, out: expect.stringContaining("BROKEN") });
      },
      "the last record was removed": () => {
        const at = repository();
        for (const name of ["a.ts", "b.ts"]) wrote(at, name, "export {};\n");
        writeFileSync(trace(at), `${readFileSync(trace(at), "utf8").split("\n")[0]}\n`);
        expect(at.sluice("trace", "verify")).toMatchObject({ code: 1, out: expect.stringContaining("BROKEN") });
      },
      "the whole trace was removed": () => {
        const at = repository();
        wrote(at, "a.ts", "export {};\n");
        rmSync(trace(at));
        expect(at.sluice("trace", "verify")).toMatchObject({ code: 1, out: expect.stringContaining("BROKEN") });
      },
      "tracing is off": () => {
        const { out, err } = project().sluice("trace", "verify");
        expect(out).not.toContain("intact");
        expect(err).toContain("Tracing is off here");
      },
    },
  },
]);

/** Where `trace find` locates a line. */
function located(at: Project, wanted: string): string {
  const { code, out } = at.sluice("trace", "find", wanted);
  expect([code, out]).toEqual([0, expect.any(String)]);
  return out;
}

claimsOf("sluice trace find", [
  {
    says: '"old.ts:2-2  still as written"',
    whenTrue: () => {
      const at = repository();
      wrote(at, "old.ts", "one();\nnew();\nthree();\n");
      expect(located(at, "old.ts:2")).toContain("old.ts:2-2  still as written\n");
    },
    whenFalse: {
      "a person has renamed the file with git": () => {
        const at = repository();
        wrote(at, "old.ts", "one();\nnew();\nthree();\n");
        commit(at);
        git(at, "mv", "old.ts", "young.ts");
        for (const wanted of ["old.ts:2", "young.ts:2"]) {
          expect(located(at, wanted)).toContain("young.ts:2-2  still as written");
          expect(located(at, wanted)).toContain("  then      old.ts");
        }
        commit(at);
        git(at, "mv", "young.ts", "newest.ts");
        commit(at);
        const { content_hash } = JSON.parse(readFileSync(trace(at), "utf8")).files[0].ranges[0];
        for (const wanted of ["old.ts:2", "newest.ts:2", content_hash])
          expect(located(at, wanted)).toContain("newest.ts:2-2");
      },
      "an agent has renamed the file": () => {
        const at = repository();
        wrote(at, "old.ts", "one();\nnew();\nthree();\n");
        called(at, "mv old.ts young.ts", () => renameSync(join(at.root, "old.ts"), join(at.root, "young.ts")), "Bash");
        expect(located(at, "old.ts:2")).toContain("young.ts:2-2  still as written");
        expect(located(at, "young.ts:2")).toContain("young.ts:2-2  still as written");
      },
      "the line was changed by hand": () => {
        const at = repository();
        wrote(at, "old.ts", "one();\nnew();\nthree();\n");
        byHand(at, "old.ts", "one();\nother();\nthree();\n");
        expect(located(at, "old.ts:2")).toContain("old.ts:2-2  written here, and changed since");
      },
      "no recorded call wrote the line": () =>
        expect(repository().sluice("trace", "find", "old.ts:1")).toMatchObject({
          code: 1,
          out: expect.stringContaining("No recorded call wrote old.ts:1."),
        }),
    },
  },
]);
