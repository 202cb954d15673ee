/** A hook with one mistake, and the same hook without it. */
export interface BrokenFile {
  readonly code: string;
  readonly broken: string;
  readonly fixed: string;
}

/** One hook as a file has it; `lines` follow its name. */
const file = (lines: string) => `hooks:\n  - name: guard\n${lines.replaceAll(/^/gm, "    ")}\n`;

/** A mistake in the lines of a hook, and what is right in its place. */
const hook = (code: string, lines: string, wrong: string, right: string): BrokenFile => {
  if (!lines.includes(wrong)) throw new Error(`${lines} does not have ${wrong}`);
  return { code, broken: file(lines), fixed: file(lines.replace(wrong, () => right)) };
};

/** The same in a rule of a hook on an event. */
const on = (event: string, code: string, rule: string, wrong: string, right: string) =>
  hook(code, `event: ${event}\nrules: |\n${rule.replaceAll(/^/gm, "  ")}`, wrong, right);

const rule = (code: string, condition: string, wrong: string, right: string) =>
  on("tool:pre_execute", `rule/${code}`, `${condition} -> deny("no")`, wrong, right);

const list = (code: string, entry: string, wrong: string, right: string) =>
  hook(code, `event: tool:pre_execute\ninline_rules:\n  - ${entry}`, wrong, right);

const RULE = "{ field: args.command, operator: contains, value: x, action: deny, reason: no }";
const runs = (lines: string) => `${lines}\nrules: tool exists -> deny("no")`;

/** Mistakes of different kinds. */
export const BROKEN_FILES: readonly BrokenFile[] = [
  // Names that do not exist.
  rule("near-field", 'args.comand contains "x"', "comand", "command"),
  rule("near-field", 'arg.command contains "x"', "arg.", "args."),
  rule("near-field", 'tool_input.file_pth equals "/x"', "file_pth", "file_path"),
  rule("near-field", 'args.edits.*.new_strng contains "x"', "strng", "string"),
  on("tool:post_execute", "rule/near-field", 'result.stdot contains "x" -> deny("no")', "stdot", "stdout"),
  rule("near-field", 'contnt contains "x"', "contnt", "content"),
  rule("near-field", 'command contains "rm"', "command", "args.command"),
  on("tool:pre_execute", "rule/near-field", 'tool exists -> modify(args.comand, "x")', "comand", "command"),
  rule("unknown-event", 'event equals "PreToolUs"', "ToolUs", "ToolUse"),
  rule("unknown-event", 'event in ["PreToolUse", "sesion:end"]', ', "sesion:end"', ""),
  rule("unknown-agent", 'agent equals "claude"', "claude", "claude-code"),
  rule("unknown-agent", 'agent in ["codex", "gemini"]', "gemini", "gemini-cli"),
  rule("unknown-agent", 'agent not_equals "Cursor"', "Cursor", "cursor"),
  rule("unknown-kind", 'tool equals "@shel"', "@shel", "Bash"),
  rule("kind-in-rule", 'tool equals "@shell"', "@shell", "Bash"),
  rule("near-tool", 'tool equals "Bahs"', "Bahs", "Bash"),
  rule("near-tool", 'tool not_in ["Wirte"]', "Wirte", "Write"),
  // Patterns where none are known.
  rule("no-star", 'tool equals "mcp__*"', "equals", "glob"),
  rule("literal-star", 'args.command starts_with "rm *"', "starts_with", "glob"),
  rule("literal-star", 'args.command equals "git push *"', "equals", "glob"),
  rule("literal-star", 'args.command in ["ls *"]', "in", "glob"),
  rule("literal-star", 'cwd ends_with "/src/*"', "ends_with", "glob"),
  rule("literal-star", 'args.command contains "*rm*"', "*rm*", "rm"),
  rule("dead-path", 'path equals "src/*"', "equals", "glob"),
  rule("dead-path", 'path in ["src/**"]', "in", "glob"),
  rule("dead-path", 'path starts_with "./src"', "./src", "src"),
  rule("dead-path", 'path glob "src/"', "src/", "src/**"),
  rule("dead-path", 'path glob "src/../a"', "src/../a", "a"),
  rule("dead-path", 'path glob "$HOME/x"', "$HOME", "~"),
  rule("dead-path", 'path starts_with "~/.ssh"', 'starts_with "~/.ssh"', 'glob "~/.ssh/**"'),
  rule("dead-path", 'path_absolute equals "a.ts"', "a.ts", "/a.ts"),
  rule("dead-path", 'path equals "src\\\\a.ts"', "\\\\", "/"),
  rule("unknown-pattern", 'path glob "!src/**"', "!", ""),
  rule("unknown-pattern", 'path glob "+(a|b).ts"', "+(a|b)", "{a,b}"),
  rule("unknown-pattern", 'path glob "src/(a|b)/*"', "(a|b)", "{a,b}"),
  rule("unknown-pattern", 'path glob "^src/x"', "^", ""),
  rule("unknown-pattern", 'path glob "x.ts$"', "$", ""),
  rule("unknown-pattern", 'path glob "v{1..3}/*"', "1..3", "1,2,3"),
  rule("unknown-pattern", 'path glob "src/{a"', "{a", "a"),
  rule("unknown-pattern", 'path glob "src/{a}"', "{a}", "a"),
  rule("unknown-pattern", 'path glob "src/[ab"', "[ab", "[ab]"),
  rule("unknown-pattern", 'path glob "[[:alpha:]]*"', "[[:alpha:]]", "[a-z]"),
  rule("unknown-pattern", 'call network "https://example.org/"', "https://example.org/", "example.org"),
  rule("unknown-pattern", 'call network "example.org:443"', ":443", ""),
  rule("unknown-pattern", 'call network "Example.org"', "Example", "example"),
  rule("unknown-pattern", 'call runs "git push --force"', " --force", ""),
  rule("unknown-pattern", 'call runs "/usr/bin/git"', "/usr/bin/", ""),
  rule("unknown-pattern", 'call runs "npm|yarn"', "npm|yarn", "{npm,yarn}"),
  rule("unknown-pattern", 'call runs "git; rm"', "; rm", ""),
  rule("unknown-pattern", 'args.command glob "^rm x"', "^", ""),
  // Operators that ask for something else than the field has.
  rule("no-line", 'args writes "x"', "args", "call"),
  rule("no-line", 'path writes "src/**"', "path", "call"),
  rule("no-line", 'content runs "git"', "content", "call"),
  rule("no-line", 'tool runs "git"', "tool runs", "call runs"),
  rule("no-line", 'args.content runs "git"', "args.content", "args.command"),
  on("tool:post_execute", "rule/no-line", 'result reads "x" -> deny("no")', "result", "call"),
  rule("no-text", 'call contains "rm"', "call", "args.command"),
  rule("no-count", "path gt 3", "gt 3", 'equals "a"'),
  rule("no-number", 'recent.tool_error.10m contains "3"', 'contains "3"', "gte 3"),
  rule("no-number-value", 'recent.tool_error.10m equals "many"', '"many"', "3"),
  rule("below-zero", "recent.tool_error.10m lt 0", "lt 0", "gt 0"),
  rule("empty-list", "tool in []", "[]", '["Bash"]'),
  rule("dead-regex", 'args.command matches "x^rm"', "x^", "^"),
  rule("dead-regex", 'args.command matches "rm$ x"', "$ x", "$"),
  rule("refused-regex", 'args.command matches "("', '"("', '"x"'),
  rule("refused-regex", 'args.command matches "a(?=x)"', "(?=x)", ""),
  rule("refused-regex", 'args.command matches "(a)\\\\1"', "\\\\1", "a"),
  rule("refused-regex", 'args.command matches "*a"', "*a", "a*"),
  // Conditions that never hold.
  rule("contradiction", 'tool equals "Bash" and tool equals "Write"', " and ", " or "),
  rule("contradiction", "args.count gt 5 and args.count lt 3", "lt 3", "lt 9"),
  rule("contradiction", "args.command exists and args.command not_exists", "and", "or"),
  rule("contradiction", 'args.command starts_with "git" and args.command starts_with "npm"', "and", "or"),
  rule("contradiction", 'tool equals "Bash" and tool not_equals "Bash"', 'not_equals "Bash"', 'not_equals "Write"'),
  on(
    "tool:pre_execute",
    "rule/never-reached",
    'tool exists -> continue()\nargs.command contains "x" -> deny("no")',
    "tool exists",
    'tool equals "Write"',
  ),
  on(
    "tool:pre_execute",
    "rule/never-reached",
    'args.command contains "git" -> continue()\nargs.command contains "git push" -> deny("no")',
    '"git"',
    '"git status"',
  ),
  on("tool:pre_execute", "rule/not-yet", 'result contains "x" -> deny("no")', "result", "content"),
  on(
    "PreToolUse",
    "rule/not-yet",
    'tool_response.stdout not_contains "x" -> deny("no")',
    "tool_response.stdout",
    "args.command",
  ),
  on(
    "tool:pre_execute",
    "rule/not-yet",
    'call runs "npm" and (error exists or call deletes "x") -> deny("no")',
    "error exists",
    'call reads "x"',
  ),
  on("tool:post_execute", "rule/not-yet", 'error contains "x" -> warn("no")', "error", "result"),
  on("user:prompt_submit", "rule/not-yet", 'tool_result contains "x" -> deny("no")', "tool_result", "prompt"),
  on("session:start", "rule/no-tool-here", 'args.command contains "x" -> deny("no")', "args.command", "source"),
  rule("other-event", 'event equals "session:start"', "session:start", "tool:pre_execute"),
  on("tool:pre_execute:Bash", "rule/other-event", 'tool equals "Write" -> deny("no")', "Write", "Bash"),
  on(
    "session:start",
    "rule/nothing-to-modify",
    'source exists -> modify(source, "x")',
    'modify(source, "x")',
    'warn("x")',
  ),
  // Lines that cannot be read.
  rule("syntax", 'args.command contians "x"', "contians", "contains"),
  on("tool:pre_execute", "rule/syntax", 'args.command contains "x" deny("no")', " deny", " -> deny"),
  on("tool:pre_execute", "rule/syntax", 'tool exists -> denny("no")', "denny", "deny"),
  on("tool:pre_execute", "rule/syntax", 'tool exists -> deny("no)', '("no)', '("no")'),
  on("tool:pre_execute", "rule/syntax", 'tool exists -> deny("no"', '("no"', '("no")'),
  on("tool:pre_execute", "rule/syntax", 'args.command contains -> deny("no")', "contains ->", 'contains "x" ->'),
  on("tool:pre_execute", "rule/syntax", 'tool equals Bash -> deny("no")', "Bash", '"Bash"'),
  rule("syntax", 'args.count gt "many"', '"many"', "3"),
  rule("syntax", 'call effect "delets-files"', 'effect "delets-files"', 'deletes "**"'),
  rule("syntax", "recent.tool_error.10x gt 3", "10x", "10m"),
  on("tool:pre_execute", "rule/syntax", "tool exists -> modify(__proto__.x, 1)", "__proto__.x", "args.x"),
  rule("syntax", "args..command exists", "..", "."),
  rule("syntax", '(tool equals "Bash"', "(", ""),
  rule("syntax", 'tool equals "Bash" and', " and", ""),
  on("tool:pre_execute", "rule/syntax", 'tool exists -> deny("a") deny("b")', ' deny("b")', ""),
  // Rules of a list.
  list("rule/unknown-action", RULE.replace("deny", "denny"), "denny", "deny"),
  list("rule/unknown-operator", RULE.replace("contains", "contians"), "contians", "contains"),
  list(
    "rule/wrong-value",
    "{ field: tool, operator: exists, value: false, action: deny, reason: no }",
    "value: false, ",
    "",
  ),
  list("rule/wrong-value", "{ field: args.count, operator: gt, value: many, action: deny, reason: no }", "many", "3"),
  list("rule/misspelt", RULE.replace("operator", "operater"), "operater", "operator"),
  list("rule/no-target", "{ field: tool, operator: exists, action: modify }", "modify", "deny, reason: no"),
  list("rule/no-field", RULE.replace("field: args.command, ", ""), "{ ", "{ field: args.command, "),
  list("hook/wrong-value", "text", "text", RULE),
  // Events and tools.
  hook("config/unknown-event", runs("event: tool:pre_exekute"), "exekute", "execute"),
  hook("config/unknown-event", runs("event: PreTolUse:Bash"), "Tol", "Tool"),
  hook("config/unknown-event", runs("matcher: { events: [PreToolUse, PreTool] }"), ", PreTool]", "]"),
  hook("config/matches-nothing", runs('event: ""'), '""', "tool:pre_execute"),
  hook("config/four-parts", runs("event: tool:pre_execute:Bash:x"), ":x", ""),
  hook("config/empty-tool", runs('event: "tool:pre_execute:"'), 'execute:"', 'execute"'),
  hook("config/unknown-kind", runs('event: "tool:pre_execute:@shel"'), "@shel", "@shell"),
  hook("config/no-tool", 'event: session:start:Bash\nrules: source exists -> deny("no")', ":Bash", ""),
  hook("config/other-tools", runs("event: PreToolUse:Bash\nmatcher: { tools: [Write] }"), "Write", "Bash"),
  hook(
    "config/unknown-session",
    runs("matcher: { events: [PreToolUse], session_types: [subagnt] }"),
    "subagnt",
    "subagent",
  ),
  hook("hook/near-tool", runs("event: tool:pre_execute:wirte_file"), "wirte", "write"),
  hook("hook/near-tool", runs("matcher: { events: [PreToolUse], tools: [BASH] }"), "BASH", "Bash"),
  // The hook itself.
  hook("hook/unknown-condition", runs("matcher: { event: [PreToolUse] }"), "event:", "events:"),
  hook(
    "hook/unknown-condition",
    runs("matcher: { events: [PreToolUse], path_pattern: [src/**] }"),
    "pattern:",
    "patterns:",
  ),
  hook("hook/wrong-value", runs("event: tool:pre_execute\ntype: inlin"), "inlin", "inline"),
  hook("hook/wrong-value", runs("event: tool:pre_execute\non_error: alow"), "alow", "ask"),
  hook("hook/wrong-value", runs("event: tool:pre_execute\ntimeout: soon"), "soon", "5s"),
  hook("hook/wrong-value", runs("event: tool:pre_execute\npriority: high"), "high", "10"),
  hook("hook/wrong-value", runs('event: tool:pre_execute\nenabled: "no"'), '"no"', "true"),
  hook("hook/wrong-value", runs("event: tool:pre_execute\nmode: audit"), "audit", "enforce"),
  hook("hook/wrong-value", runs("matcher: [PreToolUse]"), "[PreToolUse]", "{ events: [PreToolUse] }"),
  hook("hook/wrong-value", runs("event: [tool:pre_execute]"), "[tool:pre_execute]", "tool:pre_execute"),
  hook("hook/no-event", runs("evnt: tool:pre_execute"), "evnt", "event"),
  hook("hook/missing", "event: tool:pre_execute\ntype: inline", "type: inline", 'rules: tool exists -> deny("no")'),
  hook("hook/missing", 'event: tool:pre_execute\nruls: tool exists -> deny("no")', "ruls", "rules"),
  hook("hook/said-twice", runs('event: tool:pre_execute\nevent_pattern: "*"'), '\nevent_pattern: "*"', ""),
  hook("hook/no-address", "event: tool:pre_execute\nurl: localhost:8080", "localhost", "http://localhost"),
  hook("hook/no-address", "event: tool:pre_execute\nopa: { url: here, path: a/b }", "here", "http://127.0.0.1:8181"),
  hook(
    "hook/open-slot",
    'event: tool:pre_execute\nprompt: "Is {{args.command fine?"',
    "command fine",
    "command}} fine",
  ),
  hook(
    "hook/many-ways",
    'event: tool:pre_execute\nall: [{ rules: tool exists -> deny("no") }]\nany: [{ rules: tool exists -> deny("no") }]',
    '\nany: [{ rules: tool exists -> deny("no") }]',
    "",
  ),
  hook(
    "hook/no-condition",
    'event: tool:pre_execute\nwhen: { then: { rules: tool exists -> deny("no") } }',
    "{ then",
    "{ tool: Bash, then",
  ),
  hook(
    "hook/of-the-whole",
    'event: tool:pre_execute\nall: [{ mode: enforce, rules: tool exists -> deny("no") }]',
    "mode: enforce, ",
    "",
  ),
  hook(
    "rule/condition",
    'event: tool:pre_execute\nwhen: { if: tool exits, then: { rules: tool exists -> deny("no") } }',
    "exits",
    "exists",
  ),
  hook("rule/unknown-pattern", runs("matcher: { events: [PreToolUse], path_patterns: ['!src/**'] }"), "!", ""),
  hook("rule/dead-path", runs("matcher: { events: [PreToolUse], path_patterns: [src/../a/*] }"), "src/../", ""),
  hook("rule/unknown-pattern", runs('event: "tool:pre_execute:Edit|Write"'), "Edit|Write", "{Edit,Write}"),
];
