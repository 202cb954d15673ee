import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { hashPin, removePersonChannel, savePersonChannel } from "../../src/approvals/person-channel.ts";
import { type ContainedProject, containedProject, WORKING } from "../contain/contained-project.ts";
import { type PagesServer, pagesServer, previewAllow } from "./pages-server.ts";

const RULES = `contain: unknown
hooks:
  - { name: ask-gone, event: tool:pre_execute, rules: 'call deletes "**" -> ask("is it still needed?")' }
`;

/** A project with a contained call whose two deletions are held. */
function heldProject(): ContainedProject & { readonly id: string } {
  const project = containedProject(RULES);
  for (const name of ["one", "two"]) project.write(name, `${name}\n`);
  project.write("acts", "edam > wen ohce ;owt eno mr\n");
  project.write("prog", '#!/bin/sh\neval "$(rev < acts)"\n', 0o755);
  const { answer } = project.run("./prog");
  return { ...project, id: answer.contained?.id ?? "" };
}

interface Answer {
  readonly status: number;
  readonly error?: string;
  readonly [name: string]: unknown;
}

/** The pages of a project, and what a browser that is logged in gets. */
async function pagesOf(project: ContainedProject, answers: readonly boolean[] = []) {
  const asked: string[] = [];
  const left = [...answers];
  const refuses = async () => ({ done: false, told: [] });
  const confirm = async (question: string) => {
    asked.push(question);
    return left.shift() ?? false;
  };
  const acts = { allow: refuses, allowOnce: refuses, switchHook: refuses, savePolicy: refuses, previewAllow, confirm };
  const hello = { version: "1", root: project.root, home: project.home, confirms: true } as const;
  const server: PagesServer = await pagesServer({ acts, env: project.env, hello });
  const origin = `http://127.0.0.1:${server.port}`;
  const login = await server.logIn();
  const headers = { "content-type": "application/json", origin, ...login };
  const answerOf = async (response: Response): Promise<Answer> => ({
    status: response.status,
    ...((await response.json()) as object),
  });
  return {
    asked,
    get: async (path: string) => answerOf(await fetch(origin + path, { headers })),
    post: async (path: string, body: object, own: Record<string, string> = headers) =>
      answerOf(await fetch(origin + path, { method: "POST", headers: own, body: JSON.stringify(body) })),
    stranger: { "content-type": "application/json", origin },
  };
}

describe.skipIf(WORKING.length === 0)("changes that a contained call holds, on the pages", () => {
  let project: ReturnType<typeof heldProject>;
  beforeAll(() => {
    project = heldProject();
    expect(project.read("made")).toBe("new\n");
  });

  it("are listed with their differences on the first page and at the call, what is deleted first", async () => {
    const { get } = await pagesOf(project);
    const { held } = await get("/api/summary");
    expect(held).toMatchObject([{ id: project.id, changes: [{ path: "one", change: "deleted" }, { path: "two" }] }]);
    expect(await get(`/api/held?id=${project.id}`)).toMatchObject({
      status: 200,
      command: "./prog",
      isInterrupted: false,
      changes: [
        { path: "one", change: "deleted", why: expect.stringContaining("still needed"), texts: { before: "one\n" } },
        { path: "two", change: "deleted", texts: { before: "two\n" } },
      ],
      more: 0,
    });
    expect((await get("/api/held?id=ffffff")).status).toBe(404);
  });

  it("are kept only when a person confirms it: without a login, a yes or a PIN nothing changes", async () => {
    const { post, asked, stranger } = await pagesOf(project, [false]);
    const body = { id: project.id };
    expect((await post("/api/held/keep", body, stranger)).status).toBe(401);
    expect((await post("/api/held/drop", body, stranger)).status).toBe(401);
    expect((await post("/api/held/keep", body)).status).toBe(403);
    expect(asked).toEqual([expect.stringMatching(/^Keep these 2 changes of \.\/prog\? .*one, .*two$/)]);
    const place = { env: project.env, root: "/nonexistent/sluice-no-project" };
    savePersonChannel({ pin: hashPin("482913", 16) }, place);
    expect((await post("/api/held/keep", body)).error).toBe("The PIN is missing.");
    expect((await post("/api/held/keep", { ...body, pin: "1" })).error).toBe("That is not the PIN.");
    expect(asked.length).toBe(1);
    removePersonChannel(place);
    expect(["one", "two"].map(project.read)).toEqual(["one\n", "two\n"]);
  });

  it("are not kept if the project has changed while the question was open", async () => {
    const own = heldProject();
    const { post } = await pagesOf(own, []);
    const asking = await pagesServer({
      env: own.env,
      hello: { version: "1", root: own.root, home: own.home, confirms: true },
      acts: {
        ...{ allow: never, allowOnce: never, switchHook: never, savePolicy: never, previewAllow },
        confirm: async () => {
          writeFileSync(join(own.root, "one"), "written meanwhile\n");
          return true;
        },
      },
    });
    const origin = `http://127.0.0.1:${asking.port}`;
    const headers = { "content-type": "application/json", origin, ...(await asking.logIn()) };
    const body = JSON.stringify({ id: own.id });
    const { status } = await fetch(`${origin}/api/held/keep`, { method: "POST", headers, body });
    expect(status).toBe(409);
    expect(own.read("one")).toBe("written meanwhile\n");
    expect((await post("/api/held/drop", { id: own.id })).done).toBe(2);
  });

  it("are kept one by one with the PIN, come back with `sluice undo`, and what is left is dropped", async () => {
    const place = { env: project.env, root: "/nonexistent/sluice-no-project" };
    savePersonChannel({ pin: hashPin("482913", 16) }, place);
    const { post, get, asked } = await pagesOf(project);
    const kept = await post("/api/held/keep", { id: project.id, paths: ["one", "not-held"], pin: "482913" });
    expect(kept).toMatchObject({ status: 200, done: 1, left: [], undo: expect.any(String) });
    expect(() => project.read("one")).toThrow("ENOENT");
    expect(project.read("two")).toBe("two\n");
    expect(project.sluice("undo", String(kept.undo)).code).toBe(0);
    expect(project.read("one")).toBe("one\n");
    expect(await get(`/api/held?id=${project.id}`)).toMatchObject({ changes: [{ path: "two" }] });
    expect(await post("/api/held/drop", { id: project.id, paths: ["two"] })).toMatchObject({ done: 1, left: [] });
    expect(project.read("two")).toBe("two\n");
    expect((await get(`/api/held?id=${project.id}`)).status).toBe(404);
    expect((await get("/api/summary")).held).toEqual([]);
    expect(asked).toEqual([]);
    const notes = project.sluice("log", "--json").out;
    expect(notes).toContain(`Of what ${project.id} held, a person kept 1 and dropped 0; 1 held.`);
  });
});

async function never() {
  return { done: false, told: [] };
}
