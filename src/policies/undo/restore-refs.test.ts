import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { sampleProject } from "../../../tests/undo/sample-project.ts";
import { UNDO_DEFAULTS } from "../../config/undo-settings.ts";
import { readCommandLine } from "../../effects/parse/read-command-line.ts";
import { HookEvent } from "../../event/event.ts";
import { git, gitText } from "../../fs/run-git.ts";
import { diskLookups } from "../../runners/disk-lookups.ts";
import { expire } from "./expire.ts";
import { gitLoss } from "./git-losses.ts";
import { keepLosses } from "./keep.ts";
import { callsFolder, type KeptCall, type KeptRef, undoFolder, writeKept } from "./kept-call.ts";
import { DRY_STORE } from "./object-store.ts";
import { undoCall } from "./restore.ts";
import { restoreRefs } from "./restore-refs.ts";

let folder = "";
let ids: Readonly<Record<string, string>> = {};
beforeAll(() => {
  folder = sampleProject(join(realpathSync(mkdtempSync(join(tmpdir(), "sluice-refs-"))), "project"));
  ids = Object.fromEntries(["HEAD", "HEAD~1", "stash@{0}", "stash@{1}"].map((name) => [name, at(name) ?? ""]));
});
afterAll(() => rmSync(join(folder, ".."), { recursive: true, force: true }));

const at = (name: string) => gitText(folder, ["rev-parse", "--verify", "--quiet", name]);
const short = (name: string) => (ids[name] ?? "").slice(0, 12);
const ref = (name: string, id: string, more: Partial<KeptRef> = {}): KeptRef => ({
  folder,
  name,
  id: ids[id] ?? id,
  heldBy: "refs/sluice/x",
  ...more,
});
const CALL = {
  v: 1,
  id: "aa",
  at: new Date(0).toISOString(),
  tool: "Bash",
  files: [],
  bytes: 0,
  grown: 0,
  state: "kept",
} as const;
const restored = (refs: readonly KeptRef[], isDry = false) => {
  const call: KeptCall = { ...CALL, root: folder, refs };
  return restoreRefs(
    call,
    { stored: () => undefined, has: () => false, copy: () => false, inGit: () => undefined },
    isDry,
  );
};

test("stashes lie again in the order that they had, and each only once", () => {
  const refs = [ref("refs/stash", "stash@{0}"), ref("refs/stash", "stash@{1}", { message: "mine" })];
  const texts = [`stash ${short("stash@{1}")}`, `stash ${short("stash@{0}")}`];
  expect(restored(refs)).toEqual({ restored: [], same: texts, left: [] });
  execFileSync("git", ["stash", "clear"], { cwd: folder });
  expect(restored(refs, true)).toEqual({ restored: texts, same: [], left: [] });
  expect(at("refs/stash")).toBe(undefined);
  expect(restored(refs)).toEqual({ restored: texts, same: [], left: [] });
  expect([at("stash@{0}"), at("stash@{1}")]).toEqual([ids["stash@{0}"], ids["stash@{1}"]]);
  expect(gitText(folder, ["reflog", "--format=%gs", "refs/stash"])).toBe("restored by sluice undo\nmine");
});

test("a branch without a commit, as `git checkout --orphan` begins one, is left for what was checked out; a branch with one is not", () => {
  const head = ref("HEAD", "HEAD", { checkedOut: "refs/heads/main" });
  const text = `HEAD at ${short("HEAD")}`;
  git(folder, ["symbolic-ref", "HEAD", "refs/heads/begun"]);
  expect(restored([head], true).restored).toEqual([text]);
  expect(restored([head])).toEqual({ restored: [text], same: [], left: [] });
  expect(gitText(folder, ["symbolic-ref", "HEAD"])).toBe("refs/heads/main");
  git(folder, ["symbolic-ref", "HEAD", "refs/heads/topic"]);
  expect(restored([head]).left).toMatchObject([{ why: "something else has been checked out since" }]);
  git(folder, ["symbolic-ref", "HEAD", "refs/heads/main"]);
});

test("branches and tags that are gone come back, a branch with its settings", () => {
  const config = [["branch.topic.remote", "origin"]] as const;
  const topic = ref("refs/heads/topic", "HEAD~1", { config });
  expect(restored([topic]).same).toEqual([`branch topic at ${short("HEAD~1")}`]);
  execFileSync("git", ["branch", "-qD", "topic"], { cwd: folder });
  expect(restored([topic], true).restored).toEqual([`branch topic at ${short("HEAD~1")}`]);
  expect(at("refs/heads/topic")).toBe(undefined);
  const setting = () => gitText(folder, ["config", "--get-all", "branch.topic.remote"]);
  expect(setting()).toBe(undefined);
  for (let times = 0; times < 2; times++) {
    expect(restored([topic]).restored).toHaveLength(1);
    expect([at("refs/heads/topic"), setting()]).toEqual([ids["HEAD~1"], "origin"]);
    git(folder, ["update-ref", "-d", "refs/heads/topic"]);
  }
  const others = ["refs/tags/v9", "refs/remotes/origin/x", "refs/notes/refs/heads/x", "refs/notes/refs/tags/x"];
  const said = ["tag v9", "branch origin/x", "refs/notes/refs/heads/x", "refs/notes/refs/tags/x"];
  expect(restored(others.map((name) => ref(name, "HEAD"))).restored).toEqual(
    said.map((text) => `${text} at ${short("HEAD")}`).reverse(),
  );
});

test("a branch that the call has moved is moved back, unless it has moved since", () => {
  const moved = ref("refs/heads/side", "HEAD", { movedTo: ids["HEAD~1"] ?? "" });
  const text = `branch side at ${short("HEAD")}`;
  git(folder, ["update-ref", "refs/heads/side", ids.HEAD ?? ""]);
  for (const isDry of [true, false]) expect(restored([moved], isDry).same).toEqual([text]);
  git(folder, ["update-ref", "refs/heads/side", ids["HEAD~1"] ?? ""]);
  expect(restored([moved], true).restored).toEqual([text]);
  expect(at("refs/heads/side")).toBe(ids["HEAD~1"]);
  expect(restored([moved]).restored).toEqual([text]);
  expect(at("refs/heads/side")).toBe(ids.HEAD);
  git(folder, ["update-ref", "refs/heads/side", ids["stash@{0}"] ?? ""]);
  expect(restored([moved]).left).toEqual([{ path: text, why: "it has moved since" }]);
});

test("what another one has the name of is left, and so is what git refuses", () => {
  git(folder, ["update-ref", "refs/heads/taken", ids.HEAD ?? ""]);
  const why = (one: KeptRef) => restored([one]).left.map((left) => left.why);
  expect(why(ref("refs/heads/taken", "HEAD~1"))).toEqual(["there is another one of that name now"]);
  const none = "0123456789".repeat(4);
  expect(why(ref("refs/heads/none", none))).toEqual(["git refuses it"]);
  expect(why(ref("refs/stash", none))).toEqual(["git refuses it"]);
  expect(why(ref("refs/heads/taken", none, { movedTo: ids.HEAD ?? "" }))).toEqual(["git refuses it"]);
});

test("what was checked out is so again, unless something else has been checked out or its branch has moved", () => {
  const [main = "", topic] = [gitText(folder, ["symbolic-ref", "HEAD"]), "refs/heads/other"];
  git(folder, ["update-ref", topic, ids["HEAD~1"] ?? ""]);
  const onto = (branch: string) => git(folder, ["symbolic-ref", "HEAD", branch]);
  const now = () => gitText(folder, ["symbolic-ref", "HEAD"]);
  const head = ref("HEAD", "HEAD", { checkedOut: main, left: topic });
  const text = `HEAD at ${short("HEAD")}`;
  for (const isDry of [true, false]) expect(restored([head], isDry)).toEqual({ restored: [], same: [text], left: [] });
  onto(topic);
  expect([restored([head], true).restored, now()]).toEqual([[text], topic]);
  expect([restored([head]).restored, now()]).toEqual([[text], main]);
  onto(topic);
  const why = (one: KeptRef) => restored([one]).left.map((left) => left.why);
  const { left: _, ...unsaid } = head;
  expect([why(unsaid), now()]).toEqual([["something else has been checked out since"], topic]);
  expect(why({ ...head, id: ids["HEAD~1"] ?? "" })).toEqual(["its branch has moved since"]);
  onto(main);
});

test("without the end of a call, a file that is what git's index holds is the call's own, and another is not", () => {
  const env = { XDG_STATE_HOME: join(folder, "../state") };
  const path = join(folder, "README.md");
  const before = readFileSync(path, "utf8");
  const event = HookEvent.toolPreExecute("Bash", { command: "git checkout README.md" }, { cwd: folder });
  const kept = keepLosses(event, { root: folder, env, settings: UNDO_DEFAULTS, lookups: diskLookups });
  if (kept.kind !== "kept") throw new Error(kept.kind);
  const undone = (content: string) => {
    writeFileSync(path, content);
    const { restored: back, left } = undoCall(undoFolder(env), kept.call);
    return [back, left.map(({ why }) => why)];
  };
  expect(undone("written by a person\n")).toEqual([[], ["it has changed since"]]);
  expect(undone("# Sample\n")).toEqual([[path], []]);
  expect(readFileSync(path, "utf8")).toBe(before);
});

test("git may collect what a call had thrown away when it has expired", () => {
  const kept = join(folder, "../kept");
  mkdirSync(callsFolder(kept), { recursive: true });
  git(folder, ["update-ref", "refs/sluice/x", ids.HEAD ?? ""]);
  writeKept(kept, { ...CALL, root: folder, refs: [ref("refs/heads/gone", "HEAD")] });
  expire(kept, UNDO_DEFAULTS);
  expect(at("refs/sluice/x")).toBe(undefined);
  const [command] = readCommandLine("git checkout .", {}).commands;
  expect(command !== undefined && (() => gitLoss(command, join(folder, ".."), DRY_STORE))).toThrow(
    "git finds no repository here",
  );
});
