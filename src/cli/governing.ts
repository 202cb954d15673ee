import type { Govern } from "../engine/executor.ts";
import { onlyLooks } from "../protect/only-looks.ts";
import type { Input } from "./command.ts";
import type { Configuration } from "./configuration.ts";

/** What holds for every call of an agent here; calls that only look are let by before anything is loaded. */
export function governing(configuration: Configuration, { io }: Pick<Input, "io">): Govern {
  return async (event) => {
    if (onlyLooks(event)) return [];
    const { governed, groundsOf } = await import("../protect/governance.ts");
    return governed(event, groundsOf({ ...configuration, hooks: configuration.written }, io.env));
  };
}
