import { appendFileSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { type Project, project, trustedProject } from "../cli/sluice.ts";
import { claimsOf } from "./claims.ts";

const hooks = (...entries: readonly string[]) => ({
  ".sluice/hooks.yaml": `hooks:\n${entries.map((one) => `  - ${one}\n`).join("")}`,
});
const NO_CURL = `{ name: no-curl, event: "tool:pre_execute:Bash", rules: 'args.command contains "curl" -> deny("no curl")' }`;

/** A project in which Sluice is installed for these agents, without the guards that come with it. */
function installed(files: Readonly<Record<string, string>>, ...agents: string[]): Project {
  const made = project(files);
  // Where the user has a configuration, none is written with the standard guards.
  mkdirSync(join(made.home, ".config/sluice"), { recursive: true });
  writeFileSync(join(made.home, ".config/sluice/hooks.yaml"), "guards: off\n");
  expect(made.sluice("install", ...agents, "--yes").code).toBe(0);
  return made;
}

const journal = ({ home }: Project) => join(home, ".state/sluice/decisions");

/** The same project with a line in its journal that is not a record. */
function torn(made: Project): Project {
  const [name = ""] = readdirSync(journal(made));
  appendFileSync(join(journal(made), name), "{ not a record\n");
  return made;
}

/** The same project with something else in the place of its journal. */
function unreadable(made: Project): Project {
  rmSync(journal(made), { recursive: true, force: true });
  mkdirSync(join(made.home, ".state/sluice"), { recursive: true });
  writeFileSync(journal(made), "");
  return made;
}

function fired(...commands: string[]): Project {
  const made = project(hooks(NO_CURL));
  for (const command of commands) made.sluice("fire", command, "--agent", "claude-code");
  return made;
}

claimsOf("sluice fire", [
  {
    says: 'exit code 0: "continue"',
    whenTrue: () => {
      expect(installed(hooks(NO_CURL), "opencode").sluice("fire", "curl x")).toMatchObject({
        code: 0,
        out: expect.stringMatching(/^continue/m),
      });
    },
    whenFalse: {
      "the call of an installed agent is denied": () =>
        expect(installed(hooks(NO_CURL), "claude-code").sluice("fire", "curl x").code).toBe(2),
      "one of two installed agents is denied": () => {
        const { code, out } = installed(hooks(NO_CURL), "claude-code", "opencode").sluice("fire", "curl x");
        expect([code, out.includes("Agents differ: deny for Claude Code; continue for OpenCode.")]).toEqual([2, true]);
      },
      "no agent is installed, and one that Sluice knows would be denied": () =>
        expect(project(hooks(NO_CURL)).sluice("fire", "curl x").code).toBe(2),
      "a hook of the configuration could not be read": () =>
        expect(
          project(hooks("{ name: broken, event: tool:pre_execute, type: nonsense }")).sluice("fire", "ls").code,
        ).not.toBe(0),
      "the hook that matches broke": () =>
        expect(
          trustedProject(hooks(`{ name: broken, event: tool:pre_execute, command: "/nowhere/x" }`)).sluice("fire", "ls")
            .code,
        ).toBe(2),
      "a hook asks": () =>
        expect(
          project(hooks(`{ name: asks, event: tool:pre_execute, rules: 'tool exists -> ask("sure?")' }`)).sluice(
            "fire",
            "ls",
          ).code,
        ).toBe(3),
    },
  },
  {
    says: 'the action "modify"',
    whenTrue: () => {
      const rule = `{ name: change, event: tool:pre_execute, rules: 'args.command equals "npm i" -> modify(args.command, "npm ci")' }`;
      expect(JSON.parse(trustedProject(hooks(rule)).sluice("fire", "npm i", "--json").out)).toMatchObject({
        action: "modify",
        input: { command: "npm ci" },
      });
    },
    whenFalse: {
      "the tool does not have the key that is changed": () => {
        const rule = `{ name: change, event: tool:pre_execute, rules: 'args.command equals "npm i" -> modify(args.commnad, "npm ci")' }`;
        expect(JSON.parse(trustedProject(hooks(rule)).sluice("fire", "npm i", "--json").out).action).toBe("deny");
      },
    },
  },
]);

claimsOf("sluice explain", [
  {
    says: "continue",
    whenTrue: () =>
      expect(installed(hooks(NO_CURL), "claude-code").sluice("explain", "ls").out).toMatch(/^continue {2}rules took/m),
    whenFalse: {
      "the agent's call is denied": () =>
        expect(installed(hooks(NO_CURL), "claude-code").sluice("explain", "curl x").out).not.toMatch(/^continue/m),
      "a hook would have to run first": () => {
        const { out } = trustedProject(hooks(`{ name: runs, event: tool:pre_execute, command: "exit 1" }`)).sluice(
          "explain",
          "ls",
        );
        expect(out).toMatch(/^continue {2}so far/m);
        expect(out).toContain("Unknown until 1 hook has run");
      },
      "agents differ": () =>
        expect(installed(hooks(NO_CURL), "claude-code", "opencode").sluice("explain", "curl x").out).toContain(
          "Agents differ: deny for Claude Code",
        ),
    },
  },
]);

const tested = (event: string) =>
  hooks(
    `{ name: no-curl, event: "${event}", rules: 'args.command contains "curl" -> deny("no curl")', examples: { deny: ["curl x"] } }`,
  );

claimsOf("sluice test", [
  {
    says: "exit code 0: every example passed",
    whenTrue: () => expect(installed(tested("tool:pre_execute:@shell"), "claude-code").sluice("test").code).toBe(0),
    whenFalse: {
      "the hook names a tool that the installed agent does not have": () => {
        const { code, out } = installed(tested("tool:pre_execute:bash"), "claude-code").sluice("test");
        expect([code, out.includes("got continue, as Claude Code sends it")]).toEqual([1, true]);
      },
      "one of two installed agents is not denied": () =>
        expect(installed(tested("tool:pre_execute:Bash"), "claude-code", "opencode").sluice("test").code).toBe(1),
      "nothing was tried": () => expect(project(hooks(NO_CURL)).sluice("test").code).toBe(1),
      "no example could be run": () =>
        expect(
          project(
            hooks(`{ name: runs, event: tool:pre_execute, command: "exit 1", examples: { deny: ["ls"] } }`),
          ).sluice("test").code,
        ).toBe(1),
      "an example cannot be read": () =>
        expect(
          project(
            hooks(`{ name: a, event: session:start, rules: 'event exists -> continue', examples: { deny: ["x"] } }`),
          ).sluice("test").code,
        ).toBe(1),
    },
  },
]);

claimsOf("sluice log", [
  {
    says: "No call is recorded yet",
    whenTrue: () =>
      expect(project().sluice("log")).toMatchObject({ code: 0, err: expect.stringContaining("No call is recorded") }),
    whenFalse: {
      "there is a call": () => expect(fired("ls").sluice("log").err).not.toContain("No call"),
      "the journal cannot be read": () => {
        const { code, err } = unreadable(project()).sluice("log");
        expect([code, err.includes("No call is recorded"), err.includes("cannot be read")]).toEqual([1, false, true]);
      },
    },
  },
  {
    says: "every recorded call is listed",
    whenTrue: () => expect(fired("ls").sluice("log").err).toBe(""),
    whenFalse: {
      "a line of the journal cannot be read": () => expect(torn(fired("ls")).sluice("log").err).toContain("1 line of"),
    },
  },
]);

claimsOf("sluice why", [
  {
    says: "No remembered decision denied or asked anything",
    whenTrue: () => expect(fired("ls").sluice("why").err).toContain("No remembered decision denied or asked anything"),
    whenFalse: {
      "a call was denied": () =>
        expect(fired("curl x").sluice("why")).toMatchObject({ code: 0, out: expect.stringContaining("no curl") }),
      "the journal cannot be read": () => {
        const { code, err } = unreadable(project()).sluice("why");
        expect([code, err.includes("No remembered decision"), err.includes("cannot be read")]).toEqual([
          1,
          false,
          true,
        ]);
      },
    },
  },
]);

claimsOf("sluice stats", [
  {
    says: "0 denied, with no hook that let a call pass",
    whenTrue: () => expect(fired("ls").sluice("stats").out).toContain("1 call: 0 denied"),
    whenFalse: {
      "a call was denied": () => expect(fired("curl x").sluice("stats").out).toContain("1 call: 1 denied"),
      "a hook broke and let a call pass": () => {
        const made = trustedProject(
          hooks(`{ name: open, event: tool:pre_execute, command: "/nowhere/x", on_error: continue }`),
        );
        made.sluice("fire", "ls");
        expect(made.sluice("stats").out).toContain("open failed and let calls pass");
      },
      "a line of the journal cannot be read": () =>
        expect(torn(fired("ls")).sluice("stats").err).toContain("1 line of"),
    },
  },
  {
    says: "No call was decided here",
    whenTrue: () =>
      expect(project().sluice("stats")).toMatchObject({
        code: 0,
        out: expect.stringContaining("No call was decided here"),
      }),
    whenFalse: {
      "the journal cannot be read": () => {
        const { code, out, err } = unreadable(project()).sluice("stats");
        expect([code, out.includes("No call was decided"), err.includes("cannot be read")]).toEqual([1, false, true]);
      },
    },
  },
]);
