import type { Check } from "./check.ts";
import { AGENTS } from "./floors.ts";
import type { SourceFile } from "./source-tree.ts";

/** Who speaks to people, who ends the process, who knows an agent by name. */
export const VOICE = {
  "only the command prints": {
    find: (tree) =>
      tree
        .filter(({ path, room }) => room !== "cli" && !PRINTING.has(path))
        .flatMap(({ path, code }) => [...withoutTexts(code).matchAll(PRINTS)].map(([call]) => `${path} calls ${call}`)),
    breaks: {
      "hook/hook.ts": 'console.log("here");\nglobalThis.console.warn("there");',
      "engine/run.ts": 'process.stderr.write("everywhere");',
    },
    violations: [
      "hook/hook.ts calls console.log",
      "hook/hook.ts calls console.warn",
      "engine/run.ts calls process.stderr.write",
    ],
    keeps: {
      "cli/print.ts": 'process.stdout.write("fine");',
      "problem/problem.ts": 'console.warn("the one way a library is heard");',
      "hook/hook.ts": "/** Never console.log here. */\nsocket.stdout.write(chunk);",
      "templates/log.ts": `const example = "node -e 'console.log(1)'";`,
    },
  },
  "only the command's beginning ends the process": {
    find: (tree) =>
      tree
        .filter(({ path, code }) => !ENDING.has(path) && /\bprocess\.(?:exit|abort|reallyExit)\b/.test(code))
        .map(({ path }) => `${path} ends the process`),
    breaks: { "cli/commands/run.ts": "process.exit(2);", "hosts/host.ts": "setTimeout(process.exit);" },
    violations: ["cli/commands/run.ts ends the process", "hosts/host.ts ends the process"],
    keeps: { "cli/exit-codes.ts": "process.exit(130);", "cli/commands/run.ts": "process.exitCode = 2;" },
  },
  "an agent is named in its own files and in at most one other": {
    find: namedTwice,
    breaks: {
      "adapters/index.ts": 'import { cursor } from "./cursor.ts";',
      "adapters/cursor.ts": 'export const cursor = { id: "cursor" };',
      "cli/commands/doctor.ts": 'if (agent === "cursor") warn();',
      "install/apply.ts": "const FILES = { codex: 1, 'gemini-cli': 2 };",
      "install/detect.ts": 'const known = ["codex"];',
    },
    violations: [
      "codex is named in install/apply.ts, install/detect.ts",
      "cursor is named in adapters/index.ts, cli/commands/doctor.ts",
    ],
    keeps: {
      "adapters/index.ts":
        'import { cursor } from "./cursor.ts";\nexport const ADAPTERS = { cursor, "claude-code": x };',
      "adapters/cursor.ts": 'const id = "cursor";',
      "adapters/claude-code/settings.ts": 'const id = "claude-code";',
      "programs/claude-agent-sdk.ts": 'import { claudeCode } from "../adapters/claude-code.ts";',
      "config/locate.ts": 'const FILES = ["opencode/hooks.json"];',
      "event/environment.ts": '// For "cursor" too.\nexport const PREFIXES = ["OPENCODE_"];',
    },
  },
} as const satisfies Record<string, Check>;

/** Where the process begins, and where it leaves in order; the process of a plugin is another one. */
const ENDING: ReadonlySet<string> = new Set([
  "cli/exit-codes.ts",
  "cli/bin.ts",
  "launcher/guard-exit.ts",
  "runners/plugin-host.ts",
]);

/** A warning of the library, and the answer that a hook's own program asks to be printed. */
const PRINTING: ReadonlySet<string> = new Set(["problem/problem.ts", "request/standard-streams.ts"]);
const PRINTS = /\bconsole\.\w+|\bprocess\.(?:stdout|stderr)\.write\b/g;

/** Code in a text is somebody else's. */
function withoutTexts(code: string): string {
  return code.replaceAll(/"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'/g, '""');
}

/** An SDK that speaks the wire of an agent uses that agent's own rows. */
const SAME_WIRE: Readonly<Record<string, string>> = { "programs/claude-agent-sdk.ts": "claude-code" };

function namedTwice(tree: readonly SourceFile[]): string[] {
  return Object.entries(AGENTS).flatMap(([agent, names]) => {
    const places = tree.filter((file) => !isOwnFile(file, agent) && names.some((name) => isNamed(name, file)));
    return places.length > 1 ? [`${agent} is named in ${places.map(({ path }) => path).join(", ")}`] : [];
  });
}

function isOwnFile({ path, room }: SourceFile, agent: string): boolean {
  if (SAME_WIRE[path] === agent) return true;
  return room === "adapters" && path.split("/").some((segment) => startsWithName(segment, agent));
}

/** As a text of its own, as the key of a table, or by importing its file. */
function isNamed(name: string, { code, imports }: SourceFile): boolean {
  const isSpoken = () => new RegExp(`(["'\`])${name}\\1|[{,]\\s*${name}\\s*:`).test(code);
  return (
    (code.includes(name) && isSpoken()) ||
    imports.some((path) => path.split("/").some((part) => startsWithName(part, name)))
  );
}

function startsWithName(segment: string, name: string): boolean {
  return segment === name || segment.startsWith(`${name}.`) || segment.startsWith(`${name}-`);
}
