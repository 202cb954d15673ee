import { describe, expect, it } from "vitest";
import { HookEvent } from "../event/event.ts";
import { watchedEvent } from "./judge-call.ts";

const EVENT = HookEvent.toolPreExecute("Write", { file_path: "a", content: "x…", list: [1, { b: 2 }] }, { cwd: "/p" });
const of = (redacted: readonly string[], cut: readonly string[] = []) => watchedEvent(EVENT, { redacted, cut });
const argsOf = (event: HookEvent) => event.data.tool_args as { file_path: string; content: string; list: unknown[] };

describe("an event of which something was removed", () => {
  it("says the same, and notices when what is not whole is read", () => {
    const { event, touched } = of([], ["/data/tool_args/content"]);
    expect(argsOf(event).file_path).toBe("a");
    expect(touched()).toBeUndefined();
    expect(argsOf(event).content).toBe("x…");
    expect(touched()).toBe("cut");
  });

  it("notices when a list or an object that lost something is looked into, also for what is not there", () => {
    const { event, touched } = of(["/data/tool_args"]);
    expect("gone" in argsOf(event)).toBe(false);
    expect(touched()).toBe("redacted");
  });

  it("is in doubt as a whole where its folder or all of it is", () => {
    expect(of(["/cwd"]).touched()).toBe("redacted");
    expect(of([], [""]).touched()).toBe("cut");
  });

  it("stays calm where nothing that is read was removed", () => {
    const { event, touched } = of(["/data/tool_args/list/1/b"]);
    expect(argsOf(event).list[0]).toBe(1);
    expect(touched()).toBeUndefined();
  });
});
