import { parse } from "jsonc-parser";
import type { Adapter } from "../adapters/adapter.ts";
import { isOurUrl } from "../adapters/recipe.ts";
import type { InstallContext } from "../install/install-context.ts";
import { textOf } from "../install/settings-file.ts";
import { filesOf } from "../install/targets.ts";
import { Problem } from "../problem/problem.ts";

/** An address that an agent's settings post to, and the secret that they show there. */
export interface PostedCall {
  readonly adapter: Adapter;
  readonly file: string;
  readonly url: URL;
  readonly secret: string;
}

/** Where the settings of these agents post to us. */
export function postedCalls(adapters: readonly Adapter[], around: InstallContext): PostedCall[] {
  return adapters
    .filter(({ recipe }) => recipe?.http !== undefined)
    .flatMap((adapter) =>
      filesOf(adapter, "user", around).flatMap((file) =>
        [...objectsIn(settingsIn(file))]
          .filter(({ url }) => isOurUrl(url, adapter.id))
          .map(({ url, headers }) => ({ adapter, file, url: new URL(String(url)), secret: secretIn(headers) })),
      ),
    );
}

function settingsIn(file: string): unknown {
  try {
    return parse(textOf(file) ?? "", [], { allowTrailingComma: true });
  } catch (error) {
    // Settings that cannot be read are reported where the agent is checked.
    if (error instanceof Problem) return undefined;
    throw error;
  }
}

function* objectsIn(value: unknown): Generator<Readonly<Record<string, unknown>>> {
  if (typeof value !== "object" || value === null) return;
  yield value as Readonly<Record<string, unknown>>;
  for (const inner of Object.values(value)) yield* objectsIn(inner);
}

function secretIn(headers: unknown): string {
  const { Authorization: shown } = Object(headers) as { Authorization?: unknown };
  return typeof shown === "string" ? shown.replace(/^Bearer /, "") : "";
}
