import { expect, it } from "vitest";
import { ADAPTERS, adapterNamed } from "./index.ts";

it("every agent is found under its own name, and nothing under any other", () => {
  for (const adapter of ADAPTERS) expect(adapterNamed(adapter.id), adapter.id).toBe(adapter);
  for (const name of ["", "claude", "Claude-Code", "constructor", "__proto__"])
    expect(adapterNamed(name), name).toBeUndefined();
});
