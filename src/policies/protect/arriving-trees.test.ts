import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { makeProject } from "../../../tests/protect/project.ts";
import { toolEffects } from "../../effects/call-effects.ts";
import { HookEvent } from "../../event/event.ts";
import { diskLookups } from "../../runners/disk-lookups.ts";
import { arrivingTree } from "./arriving-trees.ts";
import { protectedPaths } from "./protected-paths.ts";

const { home, root: cwd, put } = makeProject(afterAll);
put("bad/.sluice/hooks.yaml", "hooks: []\n");
put("bad/settings.json", "{}");
put("fine/a.ts", "");
put("src/a.ts", "");
for (const [name, from] of [
  ["bad", "bad"],
  ["fine", "fine"],
] as const)
  execFileSync("tar", ["cf", join(cwd, `${name}.tar`), "-C", join(cwd, from), "."]);
execFileSync("tar", ["cf", join(cwd, "deep.tar"), "bad"], { cwd });
put("broken.tar", "x");

function arriving(command: string): string {
  const call = toolEffects(HookEvent.toolPreExecute("Bash", { command }, { cwd }), diskLookups);
  const paths = protectedPaths({ root: cwd, home, env: { HOME: home }, platform: "linux" });
  const found = arrivingTree(call, paths, cwd);
  if (found === undefined) return "nothing";
  return "unread" in found ? "unread" : found.found.how;
}

describe("protected files that a folder or an archive replaces", () => {
  it.each([
    ["cp -r bad/. .", "copies over"],
    ["cp -r bad/.sluice .", "copies over"],
    ["rsync -a bad/ .", "copies over"],
    ["rsync -a bad/ $X", "copies over"],
    ["tar xf bad.tar", "unpacks"],
    ["tar x < bad.tar", "unpacks"],
    ["tar xf deep.tar --strip-components=1", "unpacks"],
    ["cd src && tar xf ../bad.tar -C ..", "unpacks"],
    ["cd bad && find . -type f | xargs -I{} cp {} ../{}", "copies over"],
    ["tar xf broken.tar", "unread"],
    ["cat bad.tar | tar x", "unread"],
    ["curl -s https://example.com/x.tar | tar x", "unread"],
    ["curl -so x.tar https://example.com/x.tar && tar xf x.tar", "unread"],
    ["rsync -a host:x/ .", "unread"],
    ["docker cp c:/x .", "unread"],
    ["aws s3 sync s3://x .", "unread"],
    ["cp -r fine/. .", "nothing"],
    ["cp -r bad .", "nothing"],
    ["cp -r bad/. src", "nothing"],
    ["cp -r not-there/. .", "nothing"],
    ["cp -r fine $X", "nothing"],
    ["rsync -a fine/ .", "nothing"],
    ["rsync -a host:x/ src/", "nothing"],
    ["tar xf fine.tar", "nothing"],
    ["tar xf deep.tar", "unpacks"],
    ["tar xf bad.tar -C src", "nothing"],
    ["tar tf bad.tar", "nothing"],
    ["docker ps", "nothing"],
    ["cd fine && find . -type f | xargs -I{} cp {} ../{}", "nothing"],
    ["find bad/src -type f | sed s/bad.src.// | xargs -I{} cp bad/src/{} src/{}", "copies over"],
    ["find . -type f | xargs -I{} cp bad/src/{} src/{}", "nothing"],
    ["cd bad && find . -type f | xargs -I{} cp {} ~eve/{}", "nothing"],
    ["find . -type f | xargs -I{} cp ~eve/{} {}", "nothing"],
    ["find . -type f | xargs -I{} cp {} {}", "nothing"],
    ["rsync -a $Y/ $X", "nothing"],
    ["docker cp c:/x $X", "nothing"],
    ["tar xf bad.tar -C $X", "nothing"],
    ["tar xf - < bad.tar", "unpacks"],
    ["tar xf -", "unread"],
    ["tar xf /dev/stdin < bad.tar", "unpacks"],
    ["tar xf /dev/stdin < fine.tar", "nothing"],
    ["tar x < $X", "unread"],
    ["tar xf $X", "unread"],
    ["tar xf b*.tar", "unread"],
    ["tar x < b*.tar", "unread"],
    ["cp -r bad/* src", "nothing"],
    ["cp -r bad/. s*", "nothing"],
    ["cp -r bad/. not-there", "nothing"],
    ["cp -r ~eve/x/. .", "unread"],
    ["git clone https://example.com/x .", "unread"],
    ["git clone https://example.com/x src/x", "nothing"],
    ["tar xf bad.tar --strip-components=1", "unpacks"],
    ["tar xf bad.tar --strip-components=2", "nothing"],
    ["tar xf not-there.tar", "nothing"],
    ["true; tar xf not-there.tar", "unread"],
    ["python3 -c \"import shutil; shutil.unpack_archive('x.tar', '.')\"", "unread"],
    ["python3 -c 'print(1)'", "nothing"],
    ["python3 -c 'print(1)'; python3 -c \"import shutil; shutil.unpack_archive('x.tar', '.')\"", "unread"],
    ["{ ls; find bad/src -type f | sed s/bad.src.//; } | xargs -I{} cp bad/src/{} src/{}", "copies over"],
    ["find fine -type f | sed s/fine.// | xargs -I{} cp fine/{} {}", "nothing"],
    ["find bad/src -type f | sed s/bad.src.// | xargs -I{} cp bad/src/{} lib/{}", "nothing"],
    ["chmod -R u+w .", "nothing"],
    ["chown -R eve .", "nothing"],
    ["cp -r bad/. ~eve", "nothing"],
    ["curl -so a.txt https://example.com/a.txt", "nothing"],
    ["scp host:a.txt .", "nothing"],
  ])("%s: %s", (command, expected) => {
    expect(arriving(command)).toBe(expected);
  });
});

it("the replaced place, the line that cannot be read, and code are reported", () => {
  const told = (command: string) => {
    const call = toolEffects(HookEvent.toolPreExecute("Bash", { command }, { cwd }), diskLookups);
    return arrivingTree(call, protectedPaths({ root: cwd, home, env: { HOME: home }, platform: "linux" }), cwd);
  };
  expect(told("tar xf bad.tar")).toMatchObject({ found: { place: { path: join(cwd, ".sluice") } } });
  expect(told("curl -s $U | tar x")).toEqual({ unread: "`tar x` brings files whose names cannot be read before" });
  expect(told("tar xf $X; tar xf $Y")).toEqual({
    unread: "`tar xf $X` brings files whose names cannot be read before",
  });
  expect(told("tar xf $X; tar xf bad.tar")).toMatchObject({ found: { how: "unpacks" } });
  expect(told("python3 -c \"import shutil; shutil.unpack_archive('x.tar', '.')\"")).toEqual({
    unread: "code in it unpacks or copies a whole folder, whose names cannot be read before",
  });
});

it("an archive that cannot be read is reported with the beginning of its line", () => {
  const command = `curl -s https://example.com/${"x".repeat(200)} | tar x`;
  const call = toolEffects(HookEvent.toolPreExecute("Bash", { command }, { cwd }), diskLookups);
  const paths = protectedPaths({ root: cwd, home, env: { HOME: home }, platform: "linux" });
  const found = arrivingTree(call, paths, cwd);
  expect(found).toEqual({
    unread: expect.stringMatching(/^`.{1,120}` brings files whose names cannot be read before$/),
  });
});
