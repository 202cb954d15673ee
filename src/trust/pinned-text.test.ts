import { describe, expect, it } from "vitest";
import type { FileCopy } from "./pinned-arguments.ts";
import { pinnedArguments, pinnedText } from "./pinned-text.ts";

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
  ["/p/plain.txt", { ...copy("plain.txt"), interpreter: undefined }],
  ["/p/bin/native", { ...copy("native", "other"), interpreter: [] }],
  ["/p/one/twice.sh", copy("one/twice.sh")],
  ["/p/two/twice.sh", copy("two/twice.sh")],
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
    [". scripts/hook.sh", ". /z/hook.sh"],
    ["source ./scripts/hook.sh a", "source /z/hook.sh a"],
    ["env A=1 -i ./scripts/hook.sh", "env A=1 -i /bin/sh -c '. /s/hook.sh' ./scripts/hook.sh"],
    ["/p/scripts/hook.sh", "/bin/sh -c '. /s/hook.sh' /p/scripts/hook.sh"],
    ["cd scripts; ../x.py", "cd scripts; /bin/sh /s/start.py /s/x.py ../x.py"],
    ["cd scripts; node /p/x.mjs", "cd scripts; node /s/x.mjs"],
    ["pushd scripts && sh hook.sh", "pushd scripts && sh -c '. /s/hook.sh' hook.sh"],
    ["node ./scripts/../x.mjs", "node /s/x.mjs"],
    ["node $PWD/x.mjs", "node /s/x.mjs"],
    ["node ${PWD}/x.mjs", "node /s/x.mjs"],
    ["node ${SLUICE_PROJECT_DIR}/x.mjs", "node /s/x.mjs"],
    [
      "node x.mjs && node x.mjs; sh scripts/lib.sh",
      "node /s/x.mjs && node /s/x.mjs; sh -c '. /s/lib.sh' scripts/lib.sh",
    ],
    ["echo $(node x.mjs; (sh scripts/lib.sh)) end", "echo $(node /s/x.mjs; (sh -c '. /s/lib.sh' scripts/lib.sh)) end"],
    ["echo $((1 + 2)) $(node x.mjs)", "echo $((1 + 2)) $(node /s/x.mjs)"],
    ["./bin/native a", "/s/native a"],
    [`"sh" scripts/hook.sh`, `"sh" -c '. /s/hook.sh' scripts/hook.sh`],
    ["cd a/b; ../../x.py", "cd a/b; /bin/sh /s/start.py /s/x.py ../../x.py"],
    ["timeout 5 python3 x.py", "timeout 5 python3 /s/start.py /s/x.py x.py"],
    ["sudo -u me ./scripts/hook.sh", "sudo -u me /bin/sh -c '. /s/hook.sh' ./scripts/hook.sh"],
    ['node "x.mjs"', "node /s/x.mjs"],
    ["node 'x.mjs'", "node /s/x.mjs"],
    ["timeout 5 node -r x.mjs x.mjs", "timeout 5 node -r x.mjs /s/x.mjs"],
  ])("%s", (line, expected) => {
    expect(pinned(line)).toBe(expected);
  });

  it.each([
    "cat scripts/hook.sh",
    "grep -c x ./x.py",
    "sh other.sh",
    "python3 -c 'import x'",
    "$HOME/scripts/hook.sh",
    "python3 -c pass x.py",
    "python3 -m x x.py",
    "bash -s scripts/hook.sh",
    "sh -c : scripts/hook.sh",
    "fish --command : scripts/hook.sh",
    ". other.sh scripts/hook.sh",
    "x.py",
    "./plain.txt",
    "node x.m*s",
    "node x.mj[s]",
    "node $x.mjs",
    "node ${PWD}x.mjs",
    "cd a; node $PWD/x.mjs",
    "node $(dirname $0)/x.mjs",
    "cd a; sh /scripts/hook.sh",
    "cd a; ./twice.sh",
    "unknown-tool ./x.py",
    "env A=1",
    "timeout 5",
    ".",
    "sh",
    "node x\\.mjs",
    "node x.m?s",
    "node $(cat",
    "echo the answer is `node x.mjs`",
    "diff x.py <(node x.mjs)",
    "echo ${A:-`node x.mjs`}",
    "cat <<E\nthe answer is `node x.mjs`\nE\n",
    "if `node x.mjs`; then :; fi",
  ])("and stays unchanged if it runs none of them: %s", (line) => {
    expect(pinned(line)).toBe(line);
  });

  it("and every copy that runs is reported", () => {
    const told: string[] = [];
    const place = { root: "/p", folder: "/p", copies };
    pinnedText("sh scripts/hook.sh; cat x.py; node x.mjs", place, ({ path }) => told.push(path));
    expect(told.sort()).toEqual(["/s/hook.sh", "/s/x.mjs"]);
  });
});

describe("A script of an approved hook runs copies of the files beside it", () => {
  it.each([
    ['. "$(dirname "$0")/lib.sh"', ". /z/lib.sh"],
    [". ${0%/*}/lib.sh", ". /z/lib.sh"],
    ['D="$(cd "$(dirname "$0")" && pwd)"\nsource "$D/lib.sh"', 'D="$(cd "$(dirname "$0")" && pwd)"\nsource /z/lib.sh'],
    ['. "$(dirname -- "${BASH_SOURCE[0]}")/lib.sh"', ". /z/lib.sh"],
    [". ${BASH_SOURCE[0]%/*}/lib.sh", ". /z/lib.sh"],
    [". $( dirname $BASH_SOURCE )/lib.sh", ". /z/lib.sh"],
    [". $(cd $(dirname $0); pwd)/lib.sh", ". /z/lib.sh"],
    ["A=$0; B=${A%/*}; . $B/lib.sh", "A=$0; B=${A%/*}; . /z/lib.sh"],
    ["A=$OTHER; . $A/lib.sh", "A=$OTHER; . $A/lib.sh"],
    ["XA=$0; . $A/lib.sh", "XA=$0; . $A/lib.sh"],
    ["A=$0; . $A/twice.sh", "A=$0; . $A/twice.sh"],
    ["A=$0; . $A/../x.py", "A=$0; . /z/x.py"],
    [". $(dirname $0)/../x.py", ". /z/x.py"],
    [". $(dirname $0)lib.sh", ". $(dirname $0)lib.sh"],
    ['"$(dirname "$0")/lib.sh" x', '/bin/sh -c \'. /s/lib.sh\' "$(dirname "$0")/lib.sh" x'],
  ])("%s", (text, expected) => {
    expect(pinned(text, "/p/scripts/hook.sh")).toBe(expected);
  });
});

describe("A script names its own folder, and of files with the same name the one beside it is meant", () => {
  it.each([
    "${0%/*}",
    "${BASH_SOURCE%/*}",
    "${BASH_SOURCE[0]%/*}",
    "$(dirname $0)",
    "$( dirname  ${0}  )",
    "$(dirname --  $0)",
    "$(dirname ${BASH_SOURCE[0]})",
    "$(dirname $BASH_SOURCE)",
  ])("%s", (folder) => {
    expect(pinned(`. ${folder}/twice.sh`, "/p/one/main.sh")).toBe(". /z/one/twice.sh");
  });

  it.each(["${1%/*}", "${0%/*}/x", "$(dirname $1)", "$(dirname $0 x)", "$(basename $0)", "x$(dirname $0)"])(
    "but not by %s",
    (folder) => {
      expect(pinned(`. ${folder}/twice.sh`, "/p/one/main.sh")).toBe(`. ${folder}/twice.sh`);
    },
  );
});

describe("The arguments of an approved program are replaced by copies", () => {
  it.each([
    [
      ["sh", "scripts/hook.sh", "a"],
      ["sh", "-c", ". /s/hook.sh", "scripts/hook.sh", "a"],
    ],
    [
      ["node", "x.mjs", "x.py"],
      ["node", "/s/x.mjs", "x.py"],
    ],
    [
      ["cat", "x.mjs"],
      ["cat", "x.mjs"],
    ],
  ])("%j", (words, expected) => {
    const told: string[] = [];
    expect(pinnedArguments(words, { root: "/p", folder: "/p", copies }, ({ path }) => told.push(path))).toEqual(
      expected,
    );
    expect(told).toHaveLength(words[0] === "cat" ? 0 : 1);
  });
});
