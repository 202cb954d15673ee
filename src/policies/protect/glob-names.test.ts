import { expect, it } from "vitest";
import { globEnters, globNames, piecesOf } from "./glob-names.ts";

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
  ["/p/**/a/**/b", "/p/a/x/a/y/b", true],
  ["/p/**/a/**/b", "/p/b/x/b", false],
  ["/p/**", "/p", false],
  ["/p/**/*luice", "/p/.sluice", true],
  ["/p/**/a/*luice", "/p/a/.sluice", false],
  ["/p/**/**", "/p/a", true],
  ["/p/.@(sluice|x)", "/p/.sluice", true],
  ["/p/.slui[[:lower:]]e", "/p/.sluice", true],
  ["/p/.slui[[:lower:]x]e", "/p/.sluice", true],
  ["/p/.(sluice|x)", "/p/.sluice", true],
  ["/p/.{sluice,x}", "/p/.sluice", false],
  ["/p/.slui[a[:lower:]]e", "/p/.sluice", true],
  ["/p/?(.sluice|x)", "/p/.sluice", true],
])("%s matches %s: %s", (glob, path, finds) => {
  expect(globNames(glob, path)).toBe(finds);
});

it.each([
  ["/h/.local/*/sluice/*", "/h/.local/state/sluice", "inside"],
  ["/h/.local/state/sluice", "/h/.local/state/sluice", "inside"],
  ["/h/.local/state/s*/a/b", "/h/.local/state/sluice", "inside"],
  ["/h/**/*.o", "/h/.local/state/sluice", "deep"],
  ["/h/*/state/sluice/*", "/h/.local/state/sluice", undefined],
  ["/h/.local/st*", "/h/.local/state/sluice", undefined],
])("%s enters %s: %s", (glob, folder, enters) => {
  expect(globEnters(glob, folder)).toBe(enters);
});

it("any number of `**` is compared to the end", () => {
  const path = `/p${"/a".repeat(40)}`;
  expect(globNames(`/p${"/**/a".repeat(20)}/x`, path)).toBe(false);
  expect(globNames(`/p${"/**".repeat(5000)}/a`, path)).toBe(true);
});

it("a piece that is longer than any name may match every name", () => {
  expect(globNames(`/p/[${"a".repeat(10_000)}]*`, "/p/.sluice")).toBe(true);
});

it("a star matches hidden names if the shell is configured so", () => {
  expect(globNames("/p/*", "/p/.sluice", true)).toBe(true);
});

it("any number of `**` in a row is one piece", () => {
  expect(piecesOf("/p/**/**/**/a/**")).toEqual(["", "p", "**", "a", "**"]);
  expect(piecesOf("/p/*/*/p/p")).toEqual(["", "p", "*", "*", "p", "p"]);
});
