import { eventNamed, eventSpec } from "../event/catalogue.ts";
import { errorText } from "../problem/problem.ts";
import { methodFor, type Plugin, type PluginMethod } from "./plugin.ts";
import type { PluginResult } from "./plugin-result.ts";
import type { HookRequest } from "./request.ts";

/**
 * Calls every plugin with a request, in order, and returns the result of each, for `request.complete`. A plugin without
 * a method for the event has no result; one that throws fails alone, and blocks where a tool or a prompt can still be stopped.
 */
export async function runPlugins(
  request: HookRequest,
  plugins: readonly (Plugin | object)[],
  options: Readonly<Record<string, unknown>> = {},
): Promise<PluginResult[]> {
  const results: PluginResult[] = [];
  for (const plugin of plugins) results.push(await resultOf(plugin, request, options));
  return results;
}

async function resultOf(
  plugin: object,
  request: HookRequest,
  options: Readonly<Record<string, unknown>>,
): Promise<PluginResult> {
  const event = eventNamed(request.hookEventName);
  const method = event === undefined ? undefined : methodFor(plugin, event);
  if (event === undefined || method === undefined) return null;
  try {
    return (await (plugin as Readonly<Record<string, PluginMethod>>)[method]?.(request, options)) ?? null;
  } catch (error) {
    const { name = "without a name" } = plugin as Plugin;
    const { gate, keepsWorking = false } = eventSpec(event);
    const words = `plugin "${name}" failed: ${errorText(error)}`;
    return [gate && !keepsWorking ? "block" : "allow", words];
  }
}
