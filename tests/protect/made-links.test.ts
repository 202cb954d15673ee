import { expect, test } from "vitest";
import { protectedProject } from "./project.ts";

const { bash, put } = protectedProject();

put("src/a.ts", "export {};\n");
put("shared/config.ts", "export {};\n");
put("venv/bin/activate", "");

test.each([
  ["ln -s $PWD/.sluice x && echo > x/hooks.yaml", "deny"],
  ["ln -s ../.sluice src/l2 && rm src/l2/hooks.yaml", "deny"],
  ["ln -s ../.sluice src && rm src/.sluice/hooks.yaml", "deny"],
  ["ln -s ../.sluice/hooks.yaml src/f && echo > src/f", "deny"],
  ["cp -s .sluice/hooks.yaml x && echo > x", "deny"],
  ["cp -l .sluice/hooks.yaml x && echo > x", "deny"],
  ["cp -al .sluice z && echo > z/hooks.yaml", "deny"],
  ["ln .sluice/hooks.yaml x && echo > x", "deny"],
  ["ln -s $PWD x && rm -rf x/.sluice", "deny"],
  ['ln -s "$(pwd)" x && cd x && echo > .sluice/hooks.yaml', "deny"],
  ["ln -s $PWD/.sluice x && mv x y && cp src/a.ts y/hooks.yaml", "deny"],
  ["ln -s .. src/up && echo > src/up/.sluice/hooks.yaml", "deny"],
  ["ln -s $(realpath .sluice) x && echo > x/hooks.yaml", "deny"],
  ["cp .sluice/hooks.yaml x && echo > x", "continue"],
  ["ln -s ../shared/config.ts src/config.ts", "continue"],
  ["ln -s ../shared/config.ts src/config.ts && echo x > src/config.ts", "continue"],
  ["ln -sf /usr/bin/python3 venv/bin/python", "continue"],
  ["ln -sf /usr/bin/python3 venv/bin && echo x > venv/bin/activate", "continue"],
  ["ln -s $X src/l && echo x > src/l/a", "continue"],
  ["npm link", "continue"],
])("a link made by the same line is no way around it: %s: %s", (command, action) => {
  expect(bash(command).action).toBe(action);
});
