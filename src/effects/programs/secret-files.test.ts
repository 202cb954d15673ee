import { describe, expect, it } from "vitest";
import { isSecretFile, SECRET_FILES } from "./secret-files.ts";

describe("a secret file", () => {
  it("is every example of a row, and none that the row excepts", () => {
    const examples = SECRET_FILES.flatMap((row) => row.examples);
    expect(examples.length).toBeGreaterThan(50);
    expect(examples.filter((path) => !isSecretFile(path))).toEqual([]);
    expect(SECRET_FILES.flatMap(({ butNot }) => butNot).filter((path) => isSecretFile(path))).toEqual([]);
  });

  it.each([".e*", ".en?", ".[e]nv", "id_r*", "config/*.pem", "~/.aws/cred*"])("may be what %s becomes", (path) => {
    expect(isSecretFile(path)).toBe(true);
  });

  it.each(["*", "src/*.ts", "*.md", "[", "package.json", ""])("is not meant by %s", (path) => {
    expect(isSecretFile(path)).toBe(false);
  });
});
