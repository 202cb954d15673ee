import { expect, it } from "vitest";
import { aggregate } from "../decision/aggregate.ts";
import { HookEvent } from "../event/event.ts";
import { decisionRecord } from "./record.ts";
import { redactor } from "./redact.ts";
import { decisionLine } from "./remember.ts";
import { markedFields } from "./removed-fields.ts";

const TOKEN = `ghp_${"aB3dE5gH7j".repeat(4)}`;
const ARGS = "/event_json/data/tool_args";

function recordOf(args: unknown) {
  const event = HookEvent.toolPreExecute("Bash", args, { cwd: "/p" });
  return decisionRecord(aggregate({ event, results: [] }), { root: "/p" }, redactor());
}

it.each([
  ["nothing", { command: "ls" }, undefined, undefined],
  ["a secret", { command: `echo ${TOKEN}`, description: "x" }, [`${ARGS}/command`], undefined],
  ["a secret under its name", { env: { password: "hunter2" } }, [`${ARGS}/env/password`], undefined],
  ["a long text", { content: "x".repeat(9000), path: "a" }, undefined, [`${ARGS}/content`]],
  ["both", { content: `${TOKEN} ${"x".repeat(9000)}` }, [`${ARGS}/content`], [`${ARGS}/content`]],
  ["a key that is a secret", { [TOKEN]: 1 }, [ARGS], undefined],
  ["a key with a slash", { "a/b~c": TOKEN }, [`${ARGS}/a~1b~0c`], undefined],
  ["a mark that the agent wrote itself", { command: "grep '[redacted:x]' a.log" }, undefined, undefined],
])("a record that lost %s says where", (_, args, redacted, cut) => {
  expect(recordOf(args)).toMatchObject({ kind: "decision", ...(redacted && { redacted }), ...(cut && { cut }) });
  expect(recordOf(args).redacted).toEqual(redacted);
  expect(recordOf(args).cut).toEqual(cut);
});

it("a list that ends early is cut as a whole", () => {
  const { cut = [] } = recordOf({ list: Array.from({ length: 5000 }, () => "y".repeat(1000)) });
  expect(cut).toContain(`${ARGS}/list`);
});

it("the line says the same as the record", () => {
  const event = HookEvent.toolPreExecute("Bash", { command: `echo ${TOKEN}` }, { cwd: "/p" });
  const { line } = decisionLine(aggregate({ event, results: [] }), {}, redactor());
  expect(JSON.parse(line).redacted).toEqual([`${ARGS}/command`]);
});

it("a record from before is read by its marks", () => {
  const kept = { a: "x[redacted:url_password]", b: ["y…[shortened from 9 characters]"], c: { "[left out]": true } };
  expect(markedFields(kept)).toEqual({ redacted: ["/a"], cut: ["/b/0", "/c"] });
});
