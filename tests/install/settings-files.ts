/** A settings file as somebody might have it. */
export interface SettingsFile {
  readonly agent: string;
  readonly text: string;
  /** Without the backup too, every byte comes back; otherwise only the blanks inside what was empty may differ. */
  readonly comesBackAlone: boolean;
}

const FILES_OF = {
  "claude-code": ".claude/settings.json",
  codex: ".codex/hooks.json",
  "gemini-cli": ".gemini/settings.json",
  cursor: ".cursor/hooks.json",
  "qwen-code": ".qwen/settings.json",
  droid: ".factory/hooks.json",
  windsurf: ".codeium/windsurf/hooks.json",
  auggie: ".augment/settings.json",
} as const;

/** Where an agent keeps its settings, seen from the home. */
export function fileOf(agent: string): string {
  return FILES_OF[agent as keyof typeof FILES_OF];
}

const CLAUDE = `{
  "$schema": "https://json.schemastore.org/claude-code-settings.json",
  "model": "opus",
  "permissions": {
    "allow": ["Bash(npm run lint)", "Read(~/.zshrc)"],
    "deny": ["Read(./.env)"]
  },
  "hooks": {
    "PreToolUse": [
      {
        "matcher": "Bash",
        "hooks": [
          {
            "type": "command",
            "command": "jq -r '.tool_input.command' >> ~/.claude/bash-log.txt"
          }
        ]
      }
    ],
    "Notification": [
      { "matcher": "", "hooks": [{ "type": "command", "command": "notify-send 'Claude' 'waits'" }] }
    ]
  },
  "statusLine": { "type": "command", "command": "~/.claude/statusline.sh" }
}
`;

const NO_HOOKS = `{
  "model": "sonnet",
  "env": { "FOO": "bar" }
}
`;

const WITH_OURS = `{
  "hooks": {
    "PreToolUse": [
      { "matcher": "Bash", "hooks": [{ "type": "command", "command": "./mine.sh" }] },
      { "hooks": [{ "type": "command", "command": "/old/node /old/place/sluice.cjs run claude-code || exit 2", "timeout": 60 }] }
    ]
  }
}
`;

/** Settings with nothing of ours in them. */
export const SETTINGS: Readonly<Record<string, SettingsFile>> = {
  "a usual file with hooks of others": claude(CLAUDE),
  "a file without hooks": claude(NO_HOOKS),
  "lines that end like on Windows": claude(CLAUDE.replaceAll("\n", "\r\n")),
  "lines that end like on Windows, without hooks": claude(NO_HOOKS.replaceAll("\n", "\r\n")),
  "tabs for indentation": claude(CLAUDE.replaceAll("  ", "\t")),
  "four blanks for indentation": claude(CLAUDE.replaceAll("  ", "    ")),
  "a byte order mark": claude(`\uFEFF${CLAUDE}`),
  "a byte order mark and Windows lines": claude(`\uFEFF${NO_HOOKS.replaceAll("\n", "\r\n")}`),
  "no final newline": claude(CLAUDE.trimEnd()),
  "three final newlines": claude(`${CLAUDE}\n\n`),
  "everything on one line": claude(JSON.stringify(JSON.parse(CLAUDE))),
  "one line with hooks of others in our lists": claude(
    '{"hooks":{"PreToolUse":[{"matcher":"Bash","hooks":[{"type":"command","command":"a"}]}],"Stop":[{"hooks":[{"type":"command","command":"b"}]}]}}',
  ),
  "one line without hooks": claude('{"model":"opus"}'),
  "an empty file": claude("", false),
  "a file of blanks": claude("\n\n", false),
  "an empty object": claude("{}", false),
  "an empty object with a newline": claude("{}\n", false),
  "an empty object with a blank": claude("{ }", false),
  "an empty object over two lines": claude("{\n}\n", false),
  "empty hooks": claude('{"hooks":{}}', false),
  "empty hooks beside something": claude('{\n  "model": "opus",\n  "hooks": {}\n}\n', false),
  "an empty list": claude('{"hooks":{"PreToolUse":[]}}', false),
  "an empty list with a comment": claude(
    '{\n  "hooks": {\n    "PreToolUse": [\n      // later\n    ]\n  }\n}\n',
    false,
  ),
  "an empty list that is not ours": claude('{\n  "hooks": {\n    "SomethingElse": []\n  }\n}\n'),
  "line comments": claude(
    CLAUDE.replace('  "model"', '  // the big one\n  "model"').replace('"opus",', '"opus", // expensive'),
  ),
  "a comment behind the last member": claude('{\n  "model": "opus" // mine\n}\n'),
  "a comment before the end": claude('{\n  "model": "opus"\n  // the end\n}\n'),
  "block comments": claude(
    `/* head\n * of the file */\n${CLAUDE.replace('"hooks": {', '/* mine */ "hooks": /* here */ {')}/* tail */\n`,
  ),
  "comments in a list of hooks": claude(
    CLAUDE.replace('      {\n        "matcher"', '      // log what runs\n      {\n        "matcher"'),
  ),
  "only a comment": claude("// nothing yet\n", false),
  "trailing commas": claude(CLAUDE.replaceAll(/([}\]])\n/g, "$1,\n").replace(/,\n$/, "\n")),
  "trailing commas on one line": claude('{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"b"},],},],},}'),
  "a comma at the beginning of lines": claude('{\n  "model": "opus"\n, "env": {}\n}\n'),
  "text of many tongues": claude(
    '{\n  "model": "größe",\n  "env": { "ГРУЗ": "日本語 🎉", "esc": "\\u00e9\\ud83c\\udf89" }\n}\n',
  ),
  "words that look like ours": claude(
    '{\n  "hooks": {\n    "PreToolUse": [\n      { "hooks": [{ "type": "command", "command": "/opt/my-sluice run claude-code-review" }] }\n    ]\n  }\n}\n',
  ),
  "hooks of an unknown shape": claude(
    '{\n  "hooks": {\n    "enabled": true,\n    "PreToolUse": [\n      "text",\n      null,\n      { "hooks": "none" }\n    ]\n  }\n}\n',
  ),
  "a double key elsewhere": claude('{\n  "model": "a",\n  "model": "b"\n}\n'),
  "a very long file": claude(
    `{\n${Array.from({ length: 400 }, (_, i) => `  "key${i}": ${JSON.stringify("x".repeat(100))},`).join("\n")}\n  "end": true\n}\n`,
  ),
  "a very long line": claude(JSON.stringify({ env: { LONG: "y".repeat(40_000) }, model: "opus" })),
  "Codex with hooks of others": {
    agent: "codex",
    text: '{\n  "description": "team hooks",\n  "hooks": {\n    "PreToolUse": [\n      { "matcher": "Bash", "hooks": [{ "type": "command", "command": "./h.sh", "timeout": 600 }] }\n    ]\n  }\n}\n',
    comesBackAlone: true,
  },
  "Gemini with times in milliseconds": {
    agent: "gemini-cli",
    text: '{\n  "selectedAuthType": "oauth-personal",\n  "hooks": {\n    "BeforeTool": [\n      {\n        "matcher": "write_file|replace",\n        "hooks": [{ "name": "n", "type": "command", "command": "$GEMINI_PROJECT_DIR/h.sh", "timeout": 5000 }]\n      }\n    ]\n  }\n}\n',
    comesBackAlone: true,
  },
  "Gemini with hooks that are switched off": {
    agent: "gemini-cli",
    text: '{\n  "hooks": {\n    "enabled": true,\n    "disabled": ["secret-scanner"]\n  }\n}\n',
    comesBackAlone: true,
  },
  "Cursor with flat entries": {
    agent: "cursor",
    text: '{\n  "version": 1,\n  "hooks": {\n    "beforeShellExecution": [{ "command": "./audit.sh" }],\n    "afterFileEdit": [\n      { "command": "./format.sh" }\n    ]\n  }\n}\n',
    comesBackAlone: true,
  },
  "Cursor with nothing but a version": {
    agent: "cursor",
    text: '{\n  "version": 1,\n  "hooks": {}\n}\n',
    comesBackAlone: false,
  },
  "Qwen with a prompt hook": {
    agent: "qwen-code",
    text: '{\n\t"hooks": {\n\t\t"PreToolUse": [\n\t\t\t{"matcher": "^run_shell_command$", "hooks": [{"type": "prompt", "prompt": "safe? $ARGUMENTS", "timeout": 30}]}\n\t\t]\n\t}\n}',
    comesBackAlone: true,
  },
  "Droid with a regular expression for commands": {
    agent: "droid",
    text: '{"PreToolUse": [{"matcher": "Execute", "commandRegex": "^git ", "hooks": [{"type": "command", "command": "gate"}]}]}\n',
    comesBackAlone: true,
  },
  "Droid with hooks under a key that it ignores": {
    agent: "droid",
    text: '{\n  "hooks": {\n    "PreToolUse": [{ "hooks": [{ "type": "command", "command": "gate" }] }]\n  },\n  // mine\n  "Stop": [{ "hooks": [{ "type": "command", "command": "ring" }] }]\n}\n',
    comesBackAlone: true,
  },
  "Windsurf with an audit": {
    agent: "windsurf",
    text: '{\n    "hooks": {\n        "pre_run_command": [\n            { "command": "python3 /opt/audit.py", "show_output": false }\n        ]\n    }\n}\n',
    comesBackAlone: true,
  },
  "Auggie with a script of its own": {
    agent: "auggie",
    text: '{\n  "hooks": {\n    "PreToolUse": [\n      { "matcher": "launch-process", "hooks": [{ "type": "command", "command": "/home/me/.augment/hooks/check.sh", "timeout": 5000 }] }\n    ]\n  }\n}\n',
    comesBackAlone: true,
  },
};

/** A file for Droid as older versions wrote it, under a key that Droid ignores: around nothing, and beside another program's hooks. */
export const WRAPPED_FOR_DROID: Readonly<Record<string, readonly [before: string, without: string | undefined]>> = {
  alone: [
    '{\n  "hooks": {\n    "PreToolUse": [\n      {"hooks":[{"type":"command","command":"/old/sluice.cjs run droid"}]}\n    ],\n    "Stop": [\n      {"hooks":[{"type":"command","command":"/old/sluice.cjs run droid"}]}\n    ]\n  }\n}\n',
    undefined,
  ],
  "beside others": [
    '{"Stop": [{"hooks": [{"type": "command", "command": "mine"}]}], "hooks": {"PreToolUse": [{"hooks":[{"type":"command","command":"/old/sluice.cjs run droid"}]}, {"hooks": [{"type": "command", "command": "gate"}]}]}}\n',
    '{"Stop": [{"hooks": [{"type": "command", "command": "mine"}]}], "hooks": {"PreToolUse": [{"hooks": [{"type": "command", "command": "gate"}]}]}}\n',
  ],
};

/** Settings with entries that an older Sluice wrote from another place, and the same without them. */
export const WITH_OLD_ENTRIES: Readonly<Record<string, readonly [before: string, without: string]>> = {
  "an entry in a list with others": [WITH_OURS, WITH_OURS.replace(/,\n.*sluice\.cjs.*\n/, "\n")],
  "the first of a list": [
    '{\n  "hooks": {\n    "Stop": [\n      { "hooks": [{ "type": "command", "command": "npx sluice run claude-code" }] },\n      { "hooks": [{ "type": "command", "command": "b" }] }\n    ]\n  }\n}\n',
    '{\n  "hooks": {\n    "Stop": [\n      { "hooks": [{ "type": "command", "command": "b" }] }\n    ]\n  }\n}\n',
  ],
  "a hook in somebody else's group": [
    '{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"a"}, {"type":"command","command":"\'/old place/sluice.cjs\' run claude-code"}]}]}}',
    '{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"a"}]}]}}',
  ],
  "the first hook in somebody else's group": [
    '{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"sluice run claude-code"}, {"type":"command","command":"a"}]}]}}',
    '{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"a"}]}]}}',
  ],
  "the middle of three on one line": [
    '{"hooks":{"Stop":[{"command":"a"}, {"command":"sluice run claude-code"}, {"command":"b"}]}}',
    '{"hooks":{"Stop":[{"command":"a"}, {"command":"b"}]}}',
  ],
  "on a line below a comment, with others behind it": [
    '{\n  "hooks": { "Stop": [\n    // theirs\n    {"command":"sluice run claude-code"}, {"command":"b"}]}}\n',
    '{\n  "hooks": { "Stop": [\n    // theirs\n     {"command":"b"}]}}\n',
  ],
};

function claude(text: string, comesBackAlone = true): SettingsFile {
  return { agent: "claude-code", text, comesBackAlone };
}
