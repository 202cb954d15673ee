import { describe, expect, test } from "vitest";
import { HookEvent } from "./event.ts";
import { dataField, dataKey, FIELD_SPELLINGS, type FieldName, namedPaths } from "./field.ts";

const rows = Object.entries(FIELD_SPELLINGS).flatMap(([name, spellings]) =>
  spellings.map((spelling) => [name as FieldName, spelling] as const),
);

describe("a field is found under every spelling, and changed under the one it came in", () => {
  test.each(rows)("%s as %s", (name, spelling) => {
    const event = new HookEvent({ type: "PreToolUse", data: { [spelling]: "value" } });
    expect(dataField(event, name)).toBe("value");
    expect(dataKey(event, name)).toBe(spelling);
  });

  test.each(Object.keys(FIELD_SPELLINGS) as FieldName[])("%s that is not there is nothing", (name) => {
    const event = new HookEvent({ type: "PreToolUse", data: Object.create({ [name]: "inherited" }) });
    expect(dataField(event, name)).toBeUndefined();
    expect(dataKey(event, name)).toBe(name);
  });

  test("the canonical spelling wins over the others", () => {
    const event = new HookEvent({ type: "PreToolUse", data: { args: 3, tool_input: 2, tool_args: 1 } });
    expect(dataField(event, "tool_args")).toBe(1);
  });
});

test.each(["file_path", "target_file", "targetFile", "TargetFile", "relative_path", "relativePath", "absolutePath"])(
  "a file is named under %s",
  (key) => {
    expect(namedPaths(HookEvent.toolPreExecute("deleteFile", { [key]: "src/a.ts" }))).toEqual(["src/a.ts"]);
  },
);
