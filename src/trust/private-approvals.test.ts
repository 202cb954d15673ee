import { lstatSync, mkdirSync, mkdtempSync, rmSync, type Stats, writeFileSync } from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { projectSets, unsafeFolderProblem, unsafeStateProblem } from "./private-approvals.ts";

const base = mkdtempSync(join(tmpdir(), "sluice-approvals-"));
afterAll(() => rmSync(base, { recursive: true, force: true }));
const other = (stats: Stats) => Object.assign(Object.create(stats), { uid: stats.uid + 1 });
const open = (stats: Stats) => Object.assign(Object.create(stats), { mode: stats.mode | 0o022 });

describe("why a file of the approvals is ignored", () => {
  const path = join(base, "a.json");
  writeFileSync(path, "{}", { mode: 0o600 });
  const rows: [why: string, kind: "file" | "folder", change: (stats: Stats) => Stats, message: string, fix: string][] =
    [
      [
        "it is not a folder",
        "folder",
        (stats) => stats,
        `${path} is not a folder.`,
        "Remove it, and approve again with `sluice trust`.",
      ],
      [
        "it is another user's",
        "file",
        other,
        `${path} belongs to another user.`,
        `Remove it, or make it yours: chown "$(id -u)" ${path}`,
      ],
      [
        "others can write to it",
        "file",
        open,
        `Other users can write to ${path}.`,
        `Run \`chmod go-w ${path}\`, and check the approvals with \`sluice trust\`.`,
      ],
    ];
  it.each(rows)("%s", (_, kind, change, message, fix) => {
    const problem = unsafeStateProblem(path, kind, { stats: change(lstatSync(path)) });
    expect(problem).toMatchObject({
      message: `${message} Approvals there are ignored.`,
      fix,
      place: { file: path },
    });
  });

  it("there is no problem with the user's own files and missing ones", () => {
    expect(unsafeStateProblem(path, "file")).toBe(undefined);
    expect(unsafeStateProblem(join(base, "none"), "file")).toBe(undefined);
  });
});

describe("a folder of approvals inside the project that they are about", () => {
  const usual = join(userInfo().homedir, ".local/state/sluice/trust");

  it("is ignored, with a problem", () => {
    const folder = join(base, "state/trust");
    expect(unsafeFolderProblem(folder, base)).toMatchObject({
      message: `${folder} is inside the project that it approves. Approvals there are ignored.`,
      fix: "Set XDG_STATE_HOME to a folder outside of the project, or leave it out.",
      place: { file: folder },
    });
    expect(unsafeFolderProblem(folder, join(base, "project"))).toBe(undefined);
  });

  it("is the usual one if the project contains the whole home directory", () => {
    expect(unsafeFolderProblem(usual, "/")?.code).not.toBe("trust/inside-project");
    for (const folder of ["/var/lib/sluice/trust", join(userInfo().homedir, ".local/sluice/trust")])
      expect(unsafeFolderProblem(folder, "/")?.code).toBe("trust/inside-project");
    expect(unsafeFolderProblem(usual, join(userInfo().homedir, ".local"))?.code).toBe("trust/inside-project");
  });

  it("must be a folder, and so must its parent", () => {
    mkdirSync(join(base, "own/sluice"), { recursive: true });
    writeFileSync(join(base, "own/sluice/trust"), "");
    writeFileSync(join(base, "own/file"), "");
    const said = (folder: string) => unsafeFolderProblem(join(base, folder), join(base, "project"));
    for (const [folder, path] of [
      ["own/sluice/trust", "own/sluice/trust"],
      ["own/file/trust", "own/file"],
    ] as const) {
      expect(said(folder)?.code).toBe("trust/other-kind");
      expect(said(folder)?.message).toContain(`${join(base, path)} is not a folder.`);
    }
    expect(said("own/sluice/other")).toBe(undefined);
  });

  it.each([
    ["A=1", undefined],
    ["XDG_STATE_HOME=.state", "trust/inside-project"],
    ["HOME=.", "trust/inside-project"],
  ])("is valid in a home directory that is a project, unless the project sets the home: %s", (text, code) => {
    const home = mkdtempSync(join(base, "home-"));
    writeFileSync(join(home, ".env"), text);
    expect(unsafeFolderProblem(join(home, ".local/state/sluice/trust"), home, home)?.code).toBe(code);
  });
});

describe("a file of the project that sets the folder of approvals", () => {
  const put = (file: string, text: string) => {
    const root = mkdtempSync(join(base, "project-"));
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
    return root;
  };

  it.each(
    [
      ".env .envrc .env.local .env.development .env.production .env.test .sluice/.env",
      "mise.toml .mise.toml mise.local.toml .mise.local.toml mise/config.toml .mise/config.toml .config/mise.toml .config/mise/config.toml",
      ".claude/settings.json .claude/settings.local.json .codex/config.toml .gemini/settings.json .gemini/.env .qwen/settings.json .qwen/.env",
      ".vscode/settings.json .devcontainer.json .devcontainer/devcontainer.json",
    ].flatMap((line) => line.split(" ")),
  )("%s", (file) => {
    expect(projectSets(put(file, "XDG_STATE_HOME=.state\n"), "XDG_STATE_HOME")).toBe(true);
    expect(projectSets(put(file, "OTHER=.state\n"), "XDG_STATE_HOME")).toBe(false);
  });

  it.each([
    ["export HOME=.", true],
    ["A=1\nHOME = '.'", true],
    ['{"env":{"HOME":"."}}', true],
    ["env = { 'HOME' = '.' }", true],
    ["A=1;HOME=.", true],
    ["remoteEnv: { HOME: . }", true],
    ["MY_HOME=.", false],
    ["HOMES=.", false],
    ["echo $HOME", false],
    ["", false],
  ])("%j sets the home: %s", (text, sets) => {
    expect(projectSets(put(".env", text), "HOME")).toBe(sets);
  });

  it("no other file does", () => {
    expect(projectSets(put("README.md", "HOME=."), "HOME")).toBe(false);
  });
});
