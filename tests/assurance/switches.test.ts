import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { type Project, project, trustedProject } from "../cli/sluice.ts";
import { claimsOf } from "./claims.ts";

const HOOKS = { ".sluice/hooks.yaml": 'hooks: [{ name: a, event: "tool:pre_execute:@shell", command: "true" }]\n' };

claimsOf("sluice enable", [
  {
    says: "a is on, with nothing more to do",
    whenTrue: () => expect(trustedProject(HOOKS).sluice("enable", "a")).toMatchObject({ code: 0, err: "" }),
    whenFalse: {
      "the hook does not run before it is approved": () =>
        expect(project(HOOKS).sluice("enable", "a").err).toContain("does not run: a (not approved yet)"),
      "its file was changed since it was approved": () => {
        const here = trustedProject(HOOKS);
        writeFileSync(join(here.root, ".sluice/hooks.yaml"), HOOKS[".sluice/hooks.yaml"].replace('"true"', '"exit 0"'));
        expect(here.sluice("enable", "a").err).toContain("sluice trust");
      },
    },
  },
]);

claimsOf("sluice update", [
  {
    says: "Every pack is as new as it may be",
    whenTrue: () => {
      const here = project();
      expect(here.sluice("add", "@sluice/git-hygiene").code).toBe(0);
      expect(here.sluice("update").out).toContain("Every pack is as new as it may be: 1 pack looked at.");
    },
    whenFalse: {
      "there is no pack to look at": () => {
        const { out } = project().sluice("update");
        expect(out).not.toContain("Every pack");
        expect(out).toContain("nothing to update");
      },
    },
  },
]);

claimsOf("sluice setup", [
  {
    says: "✓ Claude Code: the canary was denied",
    whenTrue: () => {
      const here = withSettings("{}");
      expect(here.sluice("setup", "claude-code")).toMatchObject({ code: 0, out: expect.stringContaining(DENIED) });
    },
    whenFalse: {
      "its settings cannot be edited": () => {
        const { code, out } = withSettings("{ nonsense").sluice("setup", "claude-code");
        expect([code, out.includes(DENIED)]).toEqual([1, false]);
      },
      "the agent's own settings switch hooks off": () => {
        const { code, out } = withSettings('{ "disableAllHooks": true }').sluice("setup", "claude-code");
        expect([code, out.includes("disableAllHooks")]).toEqual([1, true]);
      },
      "no agent is on this machine": () => {
        const { out } = project().with({ PATH: "/usr/bin:/bin" })("setup");
        expect([out.includes("canary"), out.includes("nothing is protected yet")]).toEqual([false, true]);
      },
    },
  },
]);

claimsOf("sluice uninstall", [
  {
    says: "~/.claude/settings.json: removed",
    whenTrue: () => {
      const here = installed();
      expect(here.sluice("uninstall", "--yes")).toMatchObject({ code: 0, out: expect.stringContaining(REMOVED) });
      expect(existsSync(join(here.home, ".claude/settings.json"))).toBe(false);
    },
    whenFalse: {
      "the file has other settings, which stay": () => {
        const here = installed();
        const path = join(here.home, ".claude/settings.json");
        writeFileSync(path, readFileSync(path, "utf8").replace("{", '{ "model": "other",'));
        expect(here.sluice("uninstall", "--yes").out).not.toContain(REMOVED);
        expect(JSON.parse(readFileSync(path, "utf8"))).toEqual({ model: "other" });
      },
      "the file is no longer one that can be edited": () => {
        const here = installed();
        const path = join(here.home, ".claude/settings.json");
        writeFileSync(path, `${readFileSync(path, "utf8")} and more`);
        const { out, code } = here.sluice("uninstall", "--yes");
        expect(out).not.toContain(REMOVED);
        expect(code).toBe(1);
        expect(existsSync(path)).toBe(true);
      },
    },
  },
]);

const REMOVED = "settings.json: removed";

function installed(): Project {
  const here = project();
  expect(here.sluice("install", "claude-code", "--yes").code).toBe(0);
  return here;
}

/** A project whose user has these settings of Claude Code. */
function withSettings(text: string): Project {
  const here = project();
  mkdirSync(join(here.home, ".claude"));
  writeFileSync(join(here.home, ".claude/settings.json"), text);
  return here;
}

const DENIED = "✓ Claude Code: the canary was denied";
