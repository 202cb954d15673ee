import { describe, expect, it } from "vitest";
import { isSecretFile, SECRET_FILES } from "./secret-files.ts";

describe("a secret file", () => {
  it.each(SECRET_FILES.flatMap(({ examples, holds }) => examples.map((path) => [path, holds])))("%s holds %s", (path) =>
    expect(isSecretFile(path)).toBe(true),
  );

  it.each(SECRET_FILES.flatMap(({ butNot }) => butNot))("%s is none", (path) => {
    expect(isSecretFile(path)).toBe(false);
  });

  it.each([".e*", ".en?", ".[e]nv", "id_r*", "config/*.pem", "~/.aws/cred*"])("may be what %s becomes", (path) => {
    expect(isSecretFile(path)).toBe(true);
  });

  it.each(["*", "src/*.ts", "*.md", "[", "package.json", ""])("is not meant by %s", (path) => {
    expect(isSecretFile(path)).toBe(false);
  });
});
