import { RunnableLambda } from "@langchain/core/runnables";
import { StructuredTool, tool } from "@langchain/core/tools";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { answers, denies, hooked } from "../../tests/programs/hooked.ts";
import { ToolDeniedError } from "../decision/blocked.ts";
import { guardTool, guardTools } from "./langchain.ts";

const INPUT = z.object({ path: z.string() });
const DENY = denies("tool:pre_execute", "not today");
const CONTEXT = answers("tool:post_execute", { context: "well done" });
const CALL = { type: "tool_call" as const, id: "c1", name: "write", args: { path: "a.txt" } };

describe("guarded tools of LangChain", () => {
  it("tell a model of a denial in a message with the status error", async () => {
    const [write] = guardTools(hooked([DENY]).hooks, [tool(() => "wrote", { name: "write", schema: INPUT })]);
    expect(await write!.invoke(CALL)).toMatchObject({ content: "not today", status: "error", tool_call_id: "c1" });
  });

  it("throw a denial at a program that calls by itself", async () => {
    const write = guardTool(
      hooked([DENY]).hooks,
      tool(() => "wrote", { name: "write", schema: INPUT }),
    );
    await expect(write.invoke({ path: "a.txt" })).rejects.toBeInstanceOf(ToolDeniedError);
  });

  it("give such a program the tool's own result", async () => {
    const write = guardTool(
      hooked([CONTEXT]).hooks,
      tool(() => "wrote", { name: "write", schema: INPUT }),
    );
    expect(await write.invoke({ path: "a.txt" })).toBe("wrote");
  });

  it("keep the artifact of a result", async () => {
    const fields = { name: "write", schema: INPUT, responseFormat: "content_and_artifact" } as const;
    const make = (specs: object[]) =>
      guardTool(
        hooked(specs).hooks,
        tool(() => ["wrote", { bytes: 3 }], fields),
      );
    expect(await make([CONTEXT]).invoke(CALL)).toMatchObject({
      content: "wrote\n\nwell done",
      artifact: { bytes: 3 },
      status: "success",
    });
    expect(await make([DENY]).invoke(CALL)).toMatchObject({ content: "not today", status: "error" });
  });

  it("may take a text, which hooks know as `input`", async () => {
    const change = answers("tool:pre_execute", { action: "modify", modified_data: { patch: { input: "cats" } } });
    const { hooks, heard } = hooked([change]);
    const search = guardTool(
      hooks,
      tool((query: string) => `found ${query}`, { name: "search" }),
    );
    expect(await search.invoke("dogs")).toBe("found cats");
    expect(heard[0]?.data.tool_args).toEqual({ input: "dogs" });
  });

  it("may be objects of a class, and stay what they are", async () => {
    class Write extends StructuredTool<typeof INPUT> {
      name = "write";
      description = "writes";
      schema = INPUT;
      readonly #folder = "/home";
      async _call({ path }: { path: string }): Promise<string> {
        return `wrote ${this.#folder}/${path}`;
      }
    }
    const write = guardTool(hooked([]).hooks, new Write());
    expect(write).toBeInstanceOf(Write);
    expect(await write.invoke({ path: "a.txt" })).toBe("wrote /home/a.txt");
    expect(await guardTool(hooked([DENY]).hooks, new Write()).invoke(CALL)).toMatchObject({ status: "error" });
  });

  it("go on telling of their progress", async () => {
    const { hooks, heard } = hooked([]);
    const events: unknown[] = [];
    const write = tool(
      async function* () {
        yield "half";
        return "all";
      },
      { name: "write", schema: INPUT },
    );
    const handleToolEvent = (chunk: unknown) => void events.push(chunk);
    const result = await guardTool(hooks, write).invoke({ path: "a.txt" }, { callbacks: [{ handleToolEvent }] });
    expect(result).toBe("all");
    expect(events).toEqual(["half"]);
    expect(heard.at(-1)?.data.tool_result).toBe("all");
  });

  it("are tools that run here; anything else is refused aloud", () => {
    const runnable = RunnableLambda.from(() => "x").asTool({ name: "chain", schema: z.string() });
    expect(() => guardTool(hooked([]).hooks, runnable)).toThrow('"chain" is not a tool that runs in this program');
  });
});
