import { describe, expect, it } from "vitest";
import { pinnedText } from "./pinned-text.ts";
import type { FileCopy } from "./pinned-words.ts";

const copy = (name: string, kind: FileCopy["kind"] = "shell"): FileCopy => ({
  path: `/s/${name}`,
  sourced: `/z/${name}`,
  kind,
  interpreter: ["/bin/sh"],
  starter: "/s/start.py",
});
const copies = new Map([
  ["/p/scripts/hook.sh", copy("hook.sh")],
  ["/p/scripts/lib.sh", copy("lib.sh")],
  ["/p/x.py", copy("x.py", "python")],
  ["/p/x.mjs", copy("x.mjs", "other")],
]);
const pinned = (text: string, script?: string) =>
  pinnedText(text, { root: "/p", folder: "/p", script, copies }, () => {});

describe("A command line of an approved hook runs copies", () => {
  it.each([
    ["bash scripts/hook.sh", "bash -c '. /s/hook.sh' scripts/hook.sh"],
    ["./scripts/hook.sh a 'b c'", "/bin/sh -c '. /s/hook.sh' ./scripts/hook.sh a 'b c'"],
    ["timeout 5 sh -eu scripts/hook.sh x", "timeout 5 sh -eu -c '. /s/hook.sh' scripts/hook.sh x"],
    ["cd scripts && ./hook.sh", "cd scripts && /bin/sh -c '. /s/hook.sh' ./hook.sh"],
    ["exec ./scripts/hook.sh", "exec /bin/sh -c '. /s/hook.sh' ./scripts/hook.sh"],
    ['"$CLAUDE_PROJECT_DIR"/x.py', '/bin/sh /s/start.py /s/x.py "$CLAUDE_PROJECT_DIR"/x.py'],
    ["A=1 python3 -u x.py | cat", "A=1 python3 -u /s/start.py /s/x.py x.py | cat"],
    ['said="$(node x.mjs "$(cat)")"', 'said="$(node /s/x.mjs "$(cat)")"'],
    ["node x.mjs > out 2>&1", "node /s/x.mjs > out 2>&1"],
    ["if true; then sh scripts/hook.sh; fi", "if true; then sh -c '. /s/hook.sh' scripts/hook.sh; fi"],
  ])("%s", (line, expected) => {
    expect(pinned(line)).toBe(expected);
  });

  it.each(["cat scripts/hook.sh", "grep -c x ./x.py", "sh other.sh", "python3 -c 'import x'", "$HOME/scripts/hook.sh"])(
    "and is left as it is where it runs none of them: %s",
    (line) => {
      expect(pinned(line)).toBe(line);
    },
  );
});

describe("A script of an approved hook runs copies of what lies beside it", () => {
  it.each([
    ['. "$(dirname "$0")/lib.sh"', ". /z/lib.sh"],
    [". ${0%/*}/lib.sh", ". /z/lib.sh"],
    ['D="$(cd "$(dirname "$0")" && pwd)"\nsource "$D/lib.sh"', 'D="$(cd "$(dirname "$0")" && pwd)"\nsource /z/lib.sh'],
    ['"$(dirname "$0")/lib.sh" x', '/bin/sh -c \'. /s/lib.sh\' "$(dirname "$0")/lib.sh" x'],
  ])("%s", (text, expected) => {
    expect(pinned(text, "/p/scripts/hook.sh")).toBe(expected);
  });
});
