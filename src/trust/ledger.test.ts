import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { isOwnWrite } from "../fs/own-writes.ts";
import { readOnce, sha256, UNREAD } from "../fs/read-once.ts";
import { type Fingerprint, fingerprint, hashOfAll } from "./fingerprint.ts";
import {
  approvalOf,
  approve,
  changedFiles,
  denyAll,
  forget,
  isSettingApproved,
  ledgerStamp,
  lookUp,
  settingPrint,
  trustState,
} from "./ledger.ts";
import { trustFolder } from "./private-approvals.ts";

/** A project, and a user whose state is beside it. */
function place() {
  const base = realpathSync(mkdtempSync(join(tmpdir(), "sluice-ledger-")));
  onTestFinished(() => rmSync(base, { recursive: true, force: true }));
  const root = join(base, "project");
  mkdirSync(root);
  return { base, root, where: { env: { XDG_STATE_HOME: join(base, "state") } } };
}

/** The fingerprint of a hook that runs these files. */
function hook(root: string, key: string, files: Readonly<Record<string, string>> = {}): Fingerprint {
  const read = readOnce();
  const found = Object.entries(files).map(([name, text]) => {
    writeFileSync(join(root, name), text);
    return read(join(root, name))!;
  });
  return fingerprint(root, { kind: "hook", key, written: { command: "sh a.sh" } }, { files: found, isCut: false });
}

const ledgerFile = (root: string, where: object) => join(trustFolder(where), `${sha256(root)}.json`);
const write = (path: string, record: unknown) => {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  writeFileSync(path, typeof record === "string" ? record : JSON.stringify(record), { mode: 0o600 });
};

describe("the trust state of a hook", () => {
  it("is untrusted until it is approved, and trusted for exactly the bytes that were shown", () => {
    const { root, where } = place();
    const print = hook(root, "gate", { "a.sh": "true" });
    expect(trustState(lookUp(root, where), print)).toBe("untrusted");
    approve(root, [print], where);
    expect(trustState(lookUp(root, where), print)).toBe("trusted");
    expect(trustState(lookUp(root, where), hook(root, "gate", { "a.sh": "false" }))).toBe("modified");
    expect(trustState(lookUp(root, where), hook(root, "other", { "a.sh": "false" }))).toBe("untrusted");
  });

  it("is trusted under another name as well, since the name does not run", () => {
    const { root, where } = place();
    approve(root, [hook(root, "gate")], where);
    expect(trustState(lookUp(root, where), hook(root, "renamed"))).toBe("trusted");
  });

  it("is independent of other approvals and of other hooks with its name", () => {
    const { root, where } = place();
    const [one, two] = [hook(root, "one", { "a.sh": "1" }), hook(root, "guards", { "b.sh": "2" })];
    approve(root, [one, two], where);
    expect([one, two].map((print) => trustState(lookUp(root, where), print))).toEqual(["trusted", "trusted"]);
    expect(trustState(lookUp(root, where), settingPrint(root, "guards", "off"))).toBe("untrusted");
  });

  it("is never trusted with a file that cannot be read", () => {
    const { root, where } = place();
    const print = { ...hook(root, "gate"), unread: [join(root, "a.sh")] };
    approve(root, [print], where);
    expect(trustState(lookUp(root, where), print)).toBe("modified");
  });

  it("is denied with the whole project until something is approved again", () => {
    const { root, where } = place();
    const [one, two] = [hook(root, "one", { "a.sh": "1" }), hook(root, "two", { "b.sh": "2" })];
    approve(root, [one, two], where);
    denyAll(root, where);
    expect(trustState(lookUp(root, where), one)).toBe("denied");
    expect(approvalOf(lookUp(root, where), one)).toBe(undefined);
    approve(root, [two], where);
    expect([one, two].map((print) => trustState(lookUp(root, where), print))).toEqual(["untrusted", "trusted"]);
  });

  it("a denial applies even if there are approvals beside it", () => {
    const { root, where } = place();
    const print = hook(root, "gate");
    approve(root, [print], where);
    const { record } = lookUp(root, where);
    write(ledgerFile(root, where), { ...record, said: "denied" });
    expect(trustState(lookUp(root, where), print)).toBe("denied");
    expect(approvalOf(lookUp(root, where), print)).toBe(undefined);
  });

  it("applies to its own project alone, under any path that leads there", () => {
    const { base, root, where } = place();
    const print = hook(root, "gate");
    approve(root, [print], where);
    symlinkSync(root, join(base, "link"));
    mkdirSync(join(base, "other"));
    expect(trustState(lookUp(join(base, "link"), where), print)).toBe("trusted");
    expect(trustState(lookUp(join(base, "other"), where), print)).toBe("untrusted");
  });
});

describe("an approval", () => {
  it("keeps earlier approvals, and replaces the one of the same hook", () => {
    const { root, where } = place();
    const first = hook(root, "one", { "a.sh": "1" });
    approve(root, [first, hook(root, "two", { "b.sh": "2" })], where, { now: new Date(0) });
    approve(root, [hook(root, "one", { "a.sh": "new" })], where, { now: new Date(1000) });
    const { record } = lookUp(root, where);
    expect(record?.approvals.map(({ key, at }) => [key, at])).toEqual([
      ["two", new Date(0).toISOString()],
      ["one", new Date(1000).toISOString()],
    ]);
    expect(record?.at).toBe(new Date(1000).toISOString());
    expect(trustState(lookUp(root, where), first)).toBe("modified");
  });

  it("removes the approvals that it replaces, of that kind alone", () => {
    const { root, where } = place();
    approve(root, [hook(root, "guards"), settingPrint(root, "guards", "off")], where);
    const replaced = lookUp(root, where).record!.approvals.filter(({ kind }) => kind === "hook");
    approve(root, [hook(root, "new", { "a.sh": "1" })], where, { replaced });
    expect(lookUp(root, where).record?.approvals.map(({ kind, key }) => `${kind} ${key}`)).toEqual([
      "setting guards",
      "hook new",
    ]);
  });

  it("is stored with the shown bytes, for its owner alone, and noted as Sluice's own write", () => {
    const { root, where } = place();
    const print = hook(root, "gate", { "a.sh": "true" });
    approve(root, [print], where, { now: new Date(0) });
    const file = ledgerFile(root, where);
    expect(readdirSync(trustFolder(where))).toEqual([`${sha256(root)}.json`]);
    expect([statSync(file).mode & 0o777, statSync(trustFolder(where)).mode & 0o777]).toEqual([0o600, 0o700]);
    const { hash, written } = print;
    const files = [{ path: join(root, "a.sh"), sha256: sha256("true"), text: "true" }];
    const approval = { kind: "hook", key: "gate", hash, at: new Date(0).toISOString(), written, files };
    const record = { said: "trusted", at: new Date(0).toISOString(), approvals: [approval], version: 2, root };
    expect(lookUp(root, where)).toEqual({ record, problem: undefined });
    expect(approvalOf(lookUp(root, where), print)).toEqual(approval);
    expect(isOwnWrite(file, `${JSON.stringify(record)}\n`, where)).toBe(true);
  });

  it("of settings covers their value, in any order of keys, under their name", () => {
    const { root, where } = place();
    approve(root, [settingPrint(root, "guards", { a: 1, b: 2 })], where);
    const isApproved = (setting: string, value: unknown) => isSettingApproved(root, setting, value, where);
    expect(isApproved("guards", { b: 2, a: 1 })).toBe(true);
    expect(isApproved("guards", { b: 2, a: 2 })).toBe(false);
    expect(isApproved("other", { a: 1, b: 2 })).toBe(false);
  });

  it("changes the stamp of the project, and of no other", () => {
    const { root, base, where } = place();
    const before = [ledgerStamp(root, where), ledgerStamp(base, where)];
    denyAll(root, where);
    expect(before).toEqual([undefined, undefined]);
    expect([ledgerStamp(root, where)?.size, ledgerStamp(base, where)]).toEqual([expect.any(Number), undefined]);
  });
});

describe("removing approvals", () => {
  it("removes everything about a project, once", () => {
    const { root, where } = place();
    approve(root, [hook(root, "gate")], where);
    expect(forget(root, where)).toBe(true);
    expect(lookUp(root, where)).toStrictEqual({ record: undefined, problem: undefined });
    expect(isOwnWrite(ledgerFile(root, where), "", where)).toBe(true);
    expect(forget(root, where)).toBe(false);
    expect(forget(root, where, ["gate"])).toBe(false);
  });

  it("or removes the named approvals alone", () => {
    const { root, where } = place();
    approve(root, [hook(root, "one", { a: "1" }), hook(root, "two", { b: "2" })], where);
    expect(forget(root, where, ["three"])).toBe(false);
    expect(forget(root, where, ["one", "three"])).toBe(true);
    expect(lookUp(root, where).record).toMatchObject({ said: "trusted", approvals: [{ key: "two" }] });
    expect(lookUp(root, where).record?.approvals).toHaveLength(1);
  });

  it("removes a denial as a whole", () => {
    const { root, where } = place();
    denyAll(root, where, new Date(0));
    expect(lookUp(root, where).record).toMatchObject({ said: "denied", at: new Date(0).toISOString(), approvals: [] });
    expect(forget(root, where)).toBe(true);
    expect(lookUp(root, where).record).toBe(undefined);
  });
});

describe("a stored record is ignored", () => {
  const ways: [why: string, code: string, spoil: (file: string) => void][] = [
    ["others can write to the file", "trust/writable", (file) => chmodSync(file, 0o622)],
    ["others can write to its folder", "trust/writable", (file) => chmodSync(dirname(file), 0o770)],
    ["everybody can write to the state", "trust/writable", (file) => chmodSync(join(dirname(file), ".."), 0o707)],
    [
      "it is a link",
      "trust/other-kind",
      (file) => {
        writeFileSync(`${file}.real`, "{}");
        rmSync(file);
        symlinkSync(`${file}.real`, file);
      },
    ],
  ];
  it.each(ways)("if %s", (_, code, spoil) => {
    const { root, where } = place();
    const print = hook(root, "gate");
    approve(root, [print], where);
    spoil(ledgerFile(root, where));
    const entry = lookUp(root, where);
    expect([entry.record, entry.problem?.code]).toEqual([undefined, code]);
    expect(trustState(entry, print)).toBe("untrusted");
    for (const act of [() => approve(root, [print], where), () => denyAll(root, where), () => forget(root, where)])
      expect(act).toThrow(expect.objectContaining({ code }));
  });

  it("a group that may write to the whole state is the user's own choice", () => {
    const { root, where } = place();
    approve(root, [hook(root, "gate")], where);
    chmodSync(join(trustFolder(where), ".."), 0o770);
    expect(lookUp(root, where).problem).toBe(undefined);
  });

  it("if it is in the project that it approves, by its own path or by a link", () => {
    const { base, root } = place();
    const inside = { env: { XDG_STATE_HOME: join(root, "state") } };
    expect(() => approve(root, [], inside)).toThrow(expect.objectContaining({ code: "trust/inside-project" }));
    expect(lookUp(root, inside).problem?.code).toBe("trust/inside-project");
    mkdirSync(join(root, "real"));
    symlinkSync(join(root, "real"), join(base, "elsewhere"));
    const linked = { env: { XDG_STATE_HOME: join(base, "elsewhere") } };
    expect(lookUp(root, linked).problem?.code).toBe("trust/inside-project");
    expect(lookUp(join(root, "real"), inside).problem).toBe(undefined);
  });

  it.each(["{", "null", "5", '"trusted"', "[]"])("if the file contains %s", (text) => {
    const { root, where } = place();
    write(ledgerFile(root, where), text);
    expect(lookUp(root, where)).toEqual({ record: undefined, problem: undefined });
  });

  it("if it is about another project", () => {
    const { base, root, where } = place();
    const print = hook(root, "gate");
    approve(root, [print], where);
    const { record } = lookUp(root, where);
    write(ledgerFile(root, where), { ...record, root: base });
    expect(lookUp(root, where).record).toBe(undefined);
  });

  it.each([{ version: 1, approvals: [] }, { version: 2 }, { version: 2, approvals: {} }])(
    "where an earlier version approved everything at once (%j); its denials stay",
    (more) => {
      const { root, where } = place();
      const at = new Date(0).toISOString();
      write(ledgerFile(root, where), { root, said: "trusted", at, ...more });
      const { record, problem } = lookUp(root, where);
      expect([record, problem?.code]).toEqual([undefined, "trust/outdated"]);
      expect(problem?.message).toContain(root);
      expect(problem?.fix).toBe("Run `sluice trust` in the project once.");
      write(ledgerFile(root, where), { root, said: "denied", at, ...more });
      expect(lookUp(root, where)).toEqual({
        record: { root, said: "denied", at, version: 2, approvals: [] },
        problem: undefined,
      });
      write(ledgerFile(root, where), { root, said: "trusted", at, ...more });
      expect(forget(root, where)).toBe(true);
      expect(lookUp(root, where).problem).toBe(undefined);
    },
  );
});

describe("the files that differ from the approved ones", () => {
  it("are changed, new and deleted ones; scripts of a package are separate", () => {
    const { root, where } = place();
    const print = hook(root, "gate", { a: "1", b: "2", c: "3" });
    const [a, b, c] = print.files;
    approve(root, [print], where);
    const before = approvalOf(lookUp(root, where), print)!;
    const now = {
      ...print,
      files: [a!, { ...b!, sha256: "other" }, { ...c!, script: "test" }],
    };
    expect(changedFiles(before, print)).toEqual([]);
    expect(changedFiles(before, now).map((file) => [file.path, file.script, !!file.before, !!file.now])).toEqual([
      [b!.path, undefined, true, true],
      [c!.path, "test", false, true],
      [c!.path, undefined, true, false],
    ]);
    expect(changedFiles(undefined, print).map(({ path, before, now }) => [path, before, now])).toEqual(
      print.files.map((file) => [file.path, undefined, file]),
    );
  });
});

describe("a fingerprint", () => {
  const of = (root: string, more: Partial<Fingerprint> = {}, files: object[] = []) =>
    fingerprint(
      root,
      { kind: "hook", key: "gate", written: { command: "x" }, ...more },
      {
        files: files as never,
        isCut: false,
      },
    );
  const file = (root: string, name: string, more: object = {}) => ({
    path: join(root, name),
    real: join(root, name),
    sha256: "1",
    text: "x",
    isExecutable: true,
    ...more,
  });

  it("depends on bytes and paths, never on any order", () => {
    const { root } = place();
    const [a, b] = [file(root, "a"), file(root, "b")];
    const scripts = ["Lint", "test"].map((script) => file(root, "a", { script }));
    const whole = of(root, {}, [a, b, ...scripts]);
    expect(of(root, {}, [...scripts.toReversed(), b, a])).toEqual(whole);
    expect(whole.files.map(({ path, script }) => [path, script])).toEqual([
      [a.path, undefined],
      [a.path, "Lint"],
      [a.path, "test"],
      [b.path, undefined],
    ]);
    expect(whole.files[0]).toEqual({ path: a.path, script: undefined, real: a.real, sha256: "1", text: "x" });
    expect(of(root, { written: { b: 1, a: 2 } }).hash).toBe(of(root, { written: { a: 2, b: 1 } }).hash);
    expect(whole.hash).toMatch(/^sha256:[0-9a-f]{64}$/);
  });

  it("differs for other bytes, paths, scripts, projects, kinds and content", () => {
    const { root, base } = place();
    const a = file(root, "a");
    const others = [
      of(root, {}, [a]),
      of(root, {}, []),
      of(root, {}, [{ ...a, sha256: "2" }]),
      of(root, {}, [{ ...a, real: join(root, "b") }]),
      of(root, {}, [{ ...a, path: join(root, "b") }]),
      of(root, {}, [{ ...a, script: "test" }]),
      of(root, {}, [{ ...a, script: "lint" }]),
      of(base, {}, [a]),
      of(root, { kind: "setting" }, [a]),
      of(root, { kind: "setting", key: "other" }, [a]),
      of(root, { written: { command: "y" } }, [a]),
    ];
    expect(new Set(others.map(({ hash }) => hash)).size).toBe(others.length);
  });

  it("does not depend on what is shown and not run: the name, and the hashed text", () => {
    const { root } = place();
    const a = file(root, "a");
    expect(of(root, { key: "renamed" }, [{ ...a, text: undefined }]).hash).toBe(of(root, {}, [a]).hash);
  });

  it("lists the files that cannot be read, and whether files were left out", () => {
    const { root } = place();
    const print = of(root, {}, [file(root, "a"), file(root, "b", { sha256: UNREAD })]);
    expect([print.unread, print.isCut]).toEqual([[join(root, "b")], false]);
    const cut = fingerprint(root, { kind: "hook", key: "k", written: 1 }, { files: [], isCut: true });
    expect(cut.isCut).toBe(true);
    expect(settingPrint(root, "guards", "off")).toMatchObject({ files: [], isCut: false, unread: [] });
  });

  it("is the same in every version, so that approvals stay valid", () => {
    const script = { path: "/a", real: "/a", sha256: "1", text: "x", isExecutable: true, script: "test" };
    expect(of("/", {}, [script]).hash).toBe("sha256:65e2acdbf1500b8942411de81f8dfb68f666cbf5aba5ba86d035c7ac94ceb19c");
    expect(of("/", {}, [{ ...script, script: undefined }]).hash).toBe(
      "sha256:07faee35da25e6b3d65e0deb31e0751b32f6a00f3fe867c26ac211de436bf03d",
    );
    expect(settingPrint("/", "guards", "off").hash).toBe(
      "sha256:de7f7e6627b9c9c3a82a5fe75f096cb069d5f599d4016d80f71321958b02edd6",
    );
  });

  it("of everything is one hash, in any order", () => {
    const { root } = place();
    const [one, two] = [of(root), of(root, { written: 2 })];
    expect(hashOfAll([one, two])).toBe(hashOfAll([two, one]));
    expect(hashOfAll([one])).not.toBe(hashOfAll([one, two]));
    expect(hashOfAll([one])).not.toBe(hashOfAll([two]));
    expect(hashOfAll([])).toMatch(/^sha256:[0-9a-f]{64}$/);
  });
});
