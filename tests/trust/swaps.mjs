/** Hooks of a project, the files that they run, and the file that is swapped while they are called; `say` writes down what ran. */
export const SWAPS = {
  "a shell script with its shell": (say) => ({
    hook: { command: "bash scripts/hook.sh" },
    files: { "scripts/hook.sh": `sleep 0\n${say("approved")}\n` },
    swapped: "scripts/hook.sh",
  }),
  "a shell script by itself": (say) => ({
    hook: { command: "./hook.sh" },
    files: { "hook.sh": `#!/bin/sh\nsleep 0\n${say("approved")}\n` },
    swapped: "hook.sh",
  }),
  "the script of a hook": (say) => ({
    hook: { script: "scripts/hook.sh" },
    files: { "scripts/hook.sh": `#!/bin/sh\n${say("approved")}\n` },
    swapped: "scripts/hook.sh",
  }),
  "arguments without a shell": (say) => ({
    hook: { args: ["sh", "scripts/hook.sh", "one"] },
    files: { "scripts/hook.sh": `${say("approved")}\n` },
    swapped: "scripts/hook.sh",
  }),
  "a file that a shell script reads in": (say) => ({
    hook: { command: '"$SLUICE_PROJECT_DIR"/scripts/hook.sh' },
    files: {
      "scripts/hook.sh":
        '#!/usr/bin/env bash\nDIR="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"\n. "$DIR/lib.sh"\nsaid\n',
      "scripts/lib.sh": `said() {\n${say("approved")}\n}\n`,
    },
    swapped: "scripts/lib.sh",
  }),
  "a program that a shell script runs": (say) => ({
    hook: { command: "sh scripts/hook.sh" },
    files: {
      "scripts/hook.sh": '"$(dirname "$0")/tool"\n',
      "scripts/tool": `#!/bin/sh\n${say("approved")}\n`,
    },
    swapped: "scripts/tool",
  }),
  "a Python script": (say) => ({
    hook: { command: "python3 scripts/hook.py" },
    files: { "scripts/hook.py": `import os\nos.system("${say("approved")}")\n` },
    swapped: "scripts/hook.py",
  }),
  "a module of a Python script": (say) => ({
    hook: { command: "python3 scripts/hook.py" },
    files: {
      "scripts/hook.py": "from lib import said\nsaid()\n",
      "scripts/lib.py": `import os\ndef said():\n    os.system("${say("approved")}")\n`,
    },
    swapped: "scripts/lib.py",
  }),
  "a script of Node": (say) => ({
    hook: { command: "node hook.mjs" },
    files: { "hook.mjs": `import { execSync } from "node:child_process";\nexecSync("${say("approved")}");\n` },
    swapped: "hook.mjs",
  }),
  "a module of a script of Node": (say) => ({
    hook: { command: "node hooks/hook.mjs" },
    files: {
      "hooks/hook.mjs": 'import { said } from "./lib.mjs";\nsaid();\n',
      "hooks/lib.mjs": `import { execSync } from "node:child_process";\nexport const said = () => execSync("${say("approved")}");\n`,
    },
    swapped: "hooks/lib.mjs",
  }),
  "a plugin": (say) => ({
    hook: { type: "plugin", module: "./hooks/plugin.mjs" },
    files: {
      "hooks/plugin.mjs": `import { execSync } from "node:child_process";\nexport default { name: "p", preToolUse: () => { execSync("${say("approved")}"); return null; } };\n`,
    },
    swapped: "hooks/plugin.mjs",
  }),
};

/** How a file is swapped. */
export const WAYS = ["rename", "write", "link", "folder"];
