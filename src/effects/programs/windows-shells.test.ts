import { expect, test } from "vitest";
import { effectText } from "../effect.ts";
import { effectsOf } from "../effects.ts";
import { readCommandLine } from "../parse/read-command-line.ts";

test.each([
  ["pwsh -c 'Remove-Item a,b -Recurse'", ["delete", "deletes a tree", "deletes b tree"]],
  ["pwsh -c 'rmdir a -Recurse -Force'", ["delete", "deletes a tree forced"]],
  ["powershell 'Remove-Item -Recurse .\\a\\b'", ["delete", "deletes a/b tree"]],
  ["powershell -ExecutionPolicy Bypass -Command 'del a'", ["delete", "deletes a"]],
  ["pwsh -c 'Get-ChildItem a -Recurse -Filter *.b | Remove-Item'", ["delete", "deletes a/**/*.b"]],
  ["pwsh -c 'Get-ChildItem -Recurse | Remove-Item -Recurse'", ["delete", "deletes * tree"]],
  ["pwsh -c 'ls a | % { Remove-Item $_ -Recurse }'", ["delete", "deletes a/* tree"]],
  ["pwsh -c 'Remove-Item (Join-Path a b) -Recurse'", ["delete", "deletes a/b tree"]],
  ["pwsh -c 'Remove-Item (x) -Recurse'", ["delete", "deletes … tree"]],
  ["pwsh -Command - <<< 'Remove-Item a'", ["delete", "deletes a"]],
  ["pwsh -c 'Get-Content ~\\.ssh\\id_rsa'", ["reads ~/.ssh/id_rsa"]],
  ["cmd /c 'rmdir /s /q a\\b'", ["delete", "deletes a/b tree forced"]],
  ["cmd /c 'rd /s /q a & del b'", ["delete", "deletes a tree forced", "deletes b"]],
  ["cmd /c dir", []],
])("%s is taken apart", (line, expected) => {
  const told = effectsOf(readCommandLine(line)).map(effectText);
  expect(told.filter((text) => text !== "")).toEqual(expected);
});
