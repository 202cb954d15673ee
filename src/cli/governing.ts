import type { Govern } from "../engine/executor.ts";
import { isOfKind } from "../event/tool-kinds.ts";
import type { Input } from "./command.ts";
import type { Configuration } from "./configuration.ts";

/** What holds for every call of an agent here; tools that only read are let by before anything is loaded. */
export function governing(configuration: Configuration, { io }: Pick<Input, "io">): Govern {
  return async (event) => {
    if (isOfKind(event.toolName ?? "", "@read")) return [];
    const { governed, groundsOf } = await import("../protect/governance.ts");
    return governed(event, groundsOf({ ...configuration, hooks: configuration.written }, io.env));
  };
}
