import { expect, it } from "vitest";
import { globNames } from "./glob-names.ts";

it.each([
  ["/p/.s*", "/p/.sluice", true],
  ["/p/*", "/p/.sluice", false],
  ["/p/.[rs]luice", "/p/.sluice", true],
  ["/p/.sluice/*.yaml", "/p/.sluice/hooks.yaml", true],
  ["/p/.sluice/*.yaml", "/p/.sluice/hooks.json", false],
  ["/p/**/hooks.yaml", "/p/.sluice/hooks.yaml", true],
  ["/p/**/hooks.yaml", "/p/hooks.yaml", true],
  ["/p/**", "/p/.claude/settings.json", true],
  ["/p/**/*.o", "/p/.sluice/hooks.yaml", false],
  ["/q/**", "/p/.sluice", false],
])("%s finds %s: %s", (glob, path, finds) => {
  expect(globNames(glob, path)).toBe(finds);
});
