import { describe, expect, test } from "vitest";
import { Hook } from "../hook/hook.ts";
import { readHookRules } from "./hook-rules.ts";
import { lintMatcher, lintRule } from "./lint.ts";

const PLACE = {
  root: "/p",
  exists: (path: string) => ["/etc", "/p/src", "/p/migrations"].includes(path),
  isFolder: (path: string) => ["/etc", "/p/src", "/p/migrations"].includes(path),
};

function lint(condition: string) {
  const { written, problems } = readHookRules({ rules: `${condition} -> deny()`, inlineRules: undefined });
  expect(problems).toEqual([]);
  return written.flatMap((rule) => lintRule(rule, PLACE));
}

describe("what could never match is told with what to write instead", () => {
  const rows: [condition: string, code: string, words: string][] = [
    ['args.comand contains "x"', "near-field", 'Did you mean "args.command"'],
    ['arg.command contains "x"', "near-field", 'Did you mean "args.command"'],
    ['tool_input.file_pth equals "x"', "near-field", 'Did you mean "tool_input.file_path"'],
    ['args.edits.*.new_strng contains "x"', "near-field", 'Did you mean "args.edits.*.new_string"'],
    ['args.Command contains "x"', "near-field", 'Did you mean "args.command"'],
    ['result.stdot contains "x"', "near-field", 'Did you mean "result.stdout"'],
    ['contnt contains "x"', "near-field", 'Did you mean "content"'],
    ['pth glob "x"', "near-field", 'Did you mean "path"'],
    ['command contains "rm"', "near-field", 'Did you mean "args.command"'],
    ['comand contains "rm"', "near-field", 'Did you mean "args.command"'],
    ['event equals "PreToolUs"', "unknown-event", 'Did you mean "PreToolUse"'],
    ['event in ["Stop", "sesion:end"]', "unknown-event", 'Did you mean "session:end"'],
    ['path glob "!src/**"', "unknown-pattern", "`not` in front of the condition"],
    ['path glob "+(a|b).ts"', "unknown-pattern", '"{a,b}.ts"'],
    ['path glob "src/(a|b)/*"', "unknown-pattern", '"src/{a,b}/*"'],
    ['path glob "^src/.*"', "unknown-pattern", '"src/*"'],
    ['path glob "*.tsx?$"', "unknown-pattern", "matches"],
    ['path glob ".*\\\\.ts"', "unknown-pattern", '"*.ts"'],
    ['path glob "src\\\\a.ts"', "unknown-pattern", '"src/a.ts"'],
    ['path glob "v{1..3}/*"', "unknown-pattern", "{1,2,3}"],
    ['path glob "src/{a"', "unknown-pattern", "{a,b}"],
    ['path glob "src/[ab"', "unknown-pattern", "[ab]"],
    ['path glob "[[:alpha:]]*"', "unknown-pattern", "[a-z]"],
    ['call writes "!src/**"', "unknown-pattern", "not"],
    ['call writes ["src/**", "@(a|b)/**"]', "unknown-pattern", '"{a,b}/**"'],
    ['call only_network "https://*.example.org/"', "unknown-pattern", '"*.example.org"'],
    ['call network "example.org:443"', "unknown-pattern", '"example.org"'],
    ['call network "Example.org"', "unknown-pattern", '"example.org"'],
    ['call runs "git push --force"', "unknown-pattern", '"git push"'],
    ['call runs "/usr/bin/git"', "unknown-pattern", '"git"'],
    ['call runs "npm|yarn"', "unknown-pattern", '"{npm,yarn}"'],
    ['args.command glob "^rm .*"', "unknown-pattern", "matches"],
    ['path glob "/p/src/**"', "dead-path", 'Write "src/**"'],
    ['call writes ""', "empty-pattern", "Write what it should fit"],
    ['call network ["*.a.org", " "]', "empty-pattern", "Write what it should fit"],
    ['tool glob ""', "empty-pattern", "Write what it should fit"],
    ['path starts_with "/p/src"', "dead-path", 'Write "src"'],
    ['path equals "/p/src/a.ts"', "dead-path", "path_absolute"],
    ['path in ["src/a.ts", "./b.ts"]', "dead-path", 'Write "b.ts"'],
    ['path starts_with "./src"', "dead-path", 'Write "src"'],
    ['path glob "./src/**"', "dead-path", 'Write "src/**"'],
    ['path equals "src\\\\a.ts"', "dead-path", '"src/a.ts"'],
    ['path glob "src/"', "dead-path", '"src/**"'],
    ['call writes "migrations/"', "dead-path", '"migrations/**"'],
    ['path glob "src/../a"', "dead-path", 'Write "a"'],
    ['path starts_with "~/.ssh"', "dead-path", 'path glob "~/.ssh/**"'],
    ['path glob "$HOME/x"', "dead-path", "itself"],
    ['path glob "/src/**"', "dead-path", '"src/**"'],
    ['call writes "/migrations/**"', "dead-path", '"migrations/**"'],
    ['path_absolute glob "src/**"', "dead-path", "/p/src/**"],
    ['path_absolute equals "a.ts"', "dead-path", "Ask for path"],
    ['path in ["src/**"]', "dead-path", 'glob "src/**"'],
    ['path equals "*.ts"', "dead-path", 'glob "*.ts"'],
    ['path equals "{a,b}.ts"', "dead-path", 'glob "{a,b}.ts"'],
    ['call writes "migrations"', "dead-path", '"migrations/**"'],
    ['path glob "src"', "dead-path", '"src/**"'],
    ['path equals "src"', "dead-path", 'glob "src/**"'],
    ['path glob "/etc"', "dead-path", '"/etc/**"'],
    ['tool equals "mcp__*"', "no-star", 'tool glob "mcp__*"'],
    ['path writes "src/**"', "no-line", "`call writes"],
    ['content runs "git"', "no-line", "`call runs"],
    ['tool runs "git"', "no-line", "`call runs"],
    ['call contains "rm"', "no-text", "`args.command contains"],
    ["path gt 3", "no-count", "equals"],
    ['recent.tool_error.10m contains "3"', "no-number", "gte 3"],
  ];
  test.each(rows)("%s", (condition, code, words) => {
    const found = lint(condition);
    expect(found.map((problem) => problem.code)).toEqual([`rule/${code}`]);
    expect(found[0]?.fix).toContain(words);
  });
});

describe("what can match is left alone", () => {
  test.each([
    'path glob "src/**"',
    'tool equals "Bash" or tool equals "Write"',
    'tool in ["Bash", "Write"] and tool not_equals "Bash"',
    'paths glob "a/**" and paths glob "b/**"',
    'path equals "a" and path equals "b"',
    "args.count gt 3 and args.count lt 5",
    'commands contains "x" or urls contains "x" or cdm equals "x"',
    'args.command starts_with "git" and args.command starts_with "git push"',
    'args.command contains "a" and not args.command contains "b"',
    'args.command contains "rm -rf *"',
    'args.command contains "*"',
    'content starts_with "/**"',
    'content ends_with "*/"',
    'args.command matches "^rm.*$"',
    'args.command matches "a|^b"',
    'args.command matches "(^|;)rm($|;)"',
    'args.command matches "\\\\$HOME"',
    'args.command matches "[$]x"',
    'args.command matches " *^x"',
    'tool equals "deploy"',
    'tool equals "mcp__a__b"',
    'tool in ["write_files", "reader", "Edits"]',
    'args.custom_field equals "x"',
    "recent.tool_error.10m gt 0",
    "session_minutes lt 5",
    'args.script runs "git"',
    'path glob "*.{ts,tsx}"',
    'path glob "src/[a-z]*/.*"',
    'path glob "/etc/**"',
    'path glob "~/.ssh/**"',
    'path starts_with "src/"',
    'path starts_with "src"',
    'path glob ["src/**", "docs/**"]',
    'call deletes "src"',
    'call only_deletes ["src", "dist"]',
    'path equals "src/[id].ts"',
    'call runs "npm *"',
    'tool glob "mcp__*"',
    'path contains "src/"',
    'path matches "^src/.*\\\\.ts$"',
    'args.file_path starts_with "/p/src/"',
    'path_absolute glob "/p/src/**"',
    'path_absolute glob "**/src/**"',
    'path_absolute glob "*.ts"',
    'path_absolute ends_with "src/a.ts"',
    'call writes "/p/src/**"',
    'call writes "./src/**"',
    'call runs "git push"',
    'call runs "{npm,yarn} install"',
    'call network "*.example.org"',
    "call exists",
    'args.command runs "git"',
    'args.script runs "git"',
    'prompt contains "x"',
    'args.command glob "git stash@{0}"',
    'args.command glob "[ -f x ] && *"',
    'args.command glob "echo $*"',
    'args.custom_key contains "x"',
    'args.node equals "x"',
    'mine.own equals "x"',
    'result.stdout contains "x"',
    "recent.tool_error.10m gte 3",
    "timestamp gt 3",
    "args.timeout gt 3",
    'data.anything equals "x"',
  ])("%s", (condition) => {
    expect(lint(condition)).toEqual([]);
  });
});

test.each([
  ["modify(command, 1)", []],
  ["modify(args.command, 1)", []],
  ["modify(path, 1)", []],
  ["modify(comand, 1)", ['Did you mean "command"?']],
  ["modify(args.timeot, 1)", ['Did you mean "args.timeout"?']],
])("what %s changes is a field that there is", (action, fixes) => {
  const { written } = readHookRules({ rules: `tool exists -> ${action}`, inlineRules: undefined });
  expect(written.flatMap((rule) => lintRule(rule, PLACE)).map(({ fix }) => fix)).toEqual(fixes);
});

describe("the patterns of what a hook matches", () => {
  const rows: [hook: object, path: unknown[], words: string][] = [
    [{ matcher: { path_patterns: ["src/**", "!docs/**"] } }, ["matcher", "path_patterns", 1], "not"],
    [{ matcher: { pathPatterns: ["migrations/"] } }, ["matcher", "pathPatterns", 0], "migrations/**"],
    [{ matcher: { tools: ["Edit|Write"] } }, ["matcher", "tools", 0], "{Edit,Write}"],
    [{ matcher: { tools: ["mcp__files__.*"] } }, ["matcher", "tools", 0], "mcp__files__*"],
    [{ matcher: { command_patterns: ["^rm"] } }, ["matcher", "command_patterns", 0], "matches"],
    [{ event: "tool:pre_execute:Edit|Write" }, ["event"], "{Edit,Write}"],
  ];
  test.each(rows)("%j", (data, path, words) => {
    const found = lintMatcher(Hook.fromJSON({ command: "true", ...data }, undefined, { isChecked: true }), PLACE);
    expect(found).toMatchObject([{ code: expect.stringMatching(/unknown-pattern|dead-path/), path }]);
    expect(found[0]?.fix).toContain(words);
  });

  test.each([
    {
      matcher: {
        events: ["PreToolUse"],
        tools: ["{Edit,Write}", "mcp__*", "@shell"],
        path_patterns: ["*.ts", "./src/**"],
      },
    },
    { event: "tool:pre_execute:{Edit,Write}" },
    { event: "*" },
  ])("%j is left alone", (data) => {
    expect(lintMatcher(Hook.fromJSON({ command: "true", ...data }, undefined, { isChecked: true }), PLACE)).toEqual([]);
  });
});
