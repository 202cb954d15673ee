import { chmodSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";

import { HookEvent } from "../event/event.ts";
import { Hook } from "../hook/hook.ts";
import { pinParts } from "../trust/pin.ts";
import { runFiles } from "../trust/run-files.ts";
import { runCommand } from "./command.ts";

/** A hook that was approved with these files, as its files are changed before it runs. */
async function ranAfter(
  given: { command?: string; script?: string },
  files: Record<string, string>,
  changed: Record<string, string>,
) {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "sluice-pinned-")));
  const put = (file: string, content: string) => {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), content);
    chmodSync(join(root, file), 0o755);
  };
  for (const [file, content] of Object.entries(files)) put(file, content);
  const hook = Hook.fromJSON({ name: "h", event: "tool:pre_execute", ...given });
  const { command, script } = given;
  const code = { files: script ? [join(root, script)] : [], texts: command ? [command] : [], folders: [root] };
  const approved = runFiles([code], root).files;
  const isSame = () => {
    const now = runFiles([code], root).files;
    return now.every(({ sha256 }, at) => sha256 === approved[at]?.sha256);
  };
  pinParts(hook.parts, {
    root,
    files: approved,
    folder: join(realpathSync(mkdtempSync(join(tmpdir(), "sluice-pinned-"))), "sealed"),
    isStill: isSame,
  });
  const run = () =>
    runCommand(hook, HookEvent.toolPreExecute("Bash", { command: "ls" }, { cwd: root }), {
      deadline: 20,
      workingDir: root,
      signal: undefined,
      depth: 1,
    });
  const before = await run();
  for (const [file, content] of Object.entries(changed)) put(file, content);
  return { root, before, after: await run() };
}

const PRINTS_PLACE: Readonly<Record<string, [command: string, file: string, code: string]>> = {
  "a shell's": ["sh a/h.sh one", "a/h.sh", 'echo "$(cd "$(dirname "$0")" && pwd) $1"'],
  "a shell's, by itself": ["./a/h one", "a/h", '#!/bin/sh\necho "$(cd "$(dirname "$0")" && pwd) $1"'],
  "bash's": ["bash a/h.sh one", "a/h.sh", 'echo "$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd) $1"'],
  "Python's": [
    "python3 a/h.py one",
    "a/h.py",
    "import os, sys\nprint(os.path.dirname(os.path.abspath(__file__)), sys.argv[1])",
  ],
  "a module's": [
    "node a/h.mjs one",
    "a/h.mjs",
    'import { dirname } from "node:path";\nimport { fileURLToPath, pathToFileURL } from "node:url";\nif (pathToFileURL(process.argv[1]).href === import.meta.url) console.log(dirname(fileURLToPath(import.meta.url)), process.argv[2]);',
  ],
  "CommonJS's": [
    "node a/h.cjs one",
    "a/h.cjs",
    '"use strict";\nif (require.main === module) console.log(__dirname, process.argv[2]);',
  ],
};

describe("An approved script runs from a copy of the bytes that were approved", () => {
  it.each(Object.entries(PRINTS_PLACE))("and finds %s own place and arguments", async (_, [command, file, code]) => {
    const { root, before, after } = await ranAfter({ command }, { [file]: `${code}\n` }, { [file]: "exit 9\n" });
    expect(before).toMatchObject({ stdout: `${join(root, "a")} one\n`, exitCode: 0 });
    expect(after).toMatchObject({ stdout: `${join(root, "a")} one\n`, exitCode: 0 });
  });

  it("with what it reads in, loads and imports", async () => {
    const files = {
      "a/h.sh": '. "$(dirname "$0")/lib.sh"\nsaid\npython3 a/h.py\nnode a/h.mjs\n',
      "a/lib.sh": "said() { echo one; }\n",
      "a/h.py": "import other\n",
      "a/other.py": "print('two')\n",
      "a/h.mjs":
        'import "./other.mjs";\nimport { readFileSync } from "node:fs";\nreadFileSync(new URL("./data", import.meta.url));\n',
      "a/other.mjs": 'console.log("three");\n',
      "a/data": "",
    };
    const changed = { "a/lib.sh": "exit 9", "a/other.py": "exit(9)", "a/other.mjs": "process.exit(9)" };
    const { before, after } = await ranAfter({ command: "sh a/h.sh" }, files, changed);
    expect(before.stdout).toBe("one\ntwo\nthree\n");
    expect(after.stdout).toBe("one\ntwo\nthree\n");
  });

  it("also where it is named as a script", async () => {
    const files = { "a/h.sh": '#!/bin/sh\necho "$0"\n' };
    const { root, after } = await ranAfter({ script: "a/h.sh" }, files, { "a/h.sh": "#!/bin/false\n" });
    expect(after.stdout).toBe(`${join(root, "a/h.sh")}\n`);
  });

  it("and its answer counts for nothing where a file changed that no copy stands for", async () => {
    const files = { "a/h.sh": 'X=h2\n"./a/$X.sh"\n', "a/h2.sh": "#!/bin/sh\nexit 0\n" };
    const { before, after, root } = await ranAfter({ command: "sh a/h.sh" }, files, { "a/h2.sh": "#!/bin/sh\n:\n" });
    expect(before.failure).toBeUndefined();
    expect(after).toMatchObject({ answer: { action: "deny" }, failure: { why: "exception" } });
    expect(readFileSync(join(root, "a/h2.sh"), "utf8")).toContain(":");
  });
});
