import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { loadLayers } from "./load.ts";

function load(name: string, text: string) {
  const root = mkdtempSync(join(tmpdir(), "sluice-shapes-"));
  mkdirSync(join(root, ".sluice"));
  writeFileSync(join(root, ".sluice", name), text);
  return loadLayers(root, { layers: ["project"] });
}

/** The examples that users copy out of the specification. */
const EXAMPLES = [
  {
    shows: "a language model that judges shell commands",
    hooks: [
      {
        name: "llm-bash-safety",
        type: "llm",
        timeout: 10,
        priority: 10,
        matcher: { events: ["PreToolUse"], tools: ["bash"] },
        prompt:
          "Analyze this bash command for safety:\nCommand: {{args.command}}\n\nDeny if destructive (rm -rf, dd, mkfs, etc.)\n",
      },
    ],
    text: `hooks:
  definitions:
    - name: llm-bash-safety
      type: llm
      prompt: |
        Analyze this bash command for safety:
        Command: {{args.command}}
        
        Deny if destructive (rm -rf, dd, mkfs, etc.)
      matcher:
        events: [PreToolUse]
        tools: [bash]
      timeout: 10
      priority: 10  # Run early
`,
  },
  {
    shows: "rules as a list",
    hooks: [
      {
        name: "block-dangerous-bash",
        type: "inline",
        timeout: 30,
        inlineRules: [
          {
            field: "args.command",
            operator: "contains",
            value: "rm -rf",
            action: "deny",
            reason: "Dangerous rm -rf command blocked",
          },
          {
            field: "args.command",
            operator: "glob",
            value: "rm *",
            action: "deny",
            reason: "Bulk delete blocked",
          },
        ],
      },
    ],
    text: `hooks:
  definitions:
    - name: block-dangerous-bash
      type: inline
      matcher:
        events: [PreToolUse]
        tools: [bash]
      inline_rules:
        - field: args.command
          operator: contains
          value: "rm -rf"
          action: deny
          reason: "Dangerous rm -rf command blocked"
        
        - field: args.command
          operator: glob
          value: "rm *"
          action: deny
          reason: "Bulk delete blocked"
`,
  },
  {
    shows: "rules in the rule language",
    hooks: [
      {
        name: "block-dangerous-bash",
        type: "inline",
        rules: [
          'args.command contains "rm -rf" -> deny("Dangerous command")',
          'args.command glob "rm *" -> deny("Bulk delete")',
          'tool equals "write_file" and path glob "*.py" -> continue()',
          "",
        ].join("\n"),
      },
    ],
    text: `hooks:
  definitions:
    - name: block-dangerous-bash
      type: inline
      matcher:
        events: [PreToolUse]
        tools: [bash]
      rules: |
        args.command contains "rm -rf" -> deny("Dangerous command")
        args.command glob "rm *" -> deny("Bulk delete")
        tool equals "write_file" and path glob "*.py" -> continue()
`,
  },
  {
    shows: "a whole configuration",
    hooks: [
      { name: "bash-safety-guard", type: "inline", priority: 10, eventPattern: "PreToolUse" },
      {
        name: "llm-code-reviewer",
        type: "llm",
        timeout: 15,
        priority: 50,
        matcher: {
          events: ["PreToolUse"],
          tools: ["write_file", "edit_file"],
          path_patterns: ["*.py", "*.js", "*.ts"],
        },
      },
      { name: "error-logger", command: "python scripts/log_error.py", eventPattern: "Error", priority: 100 },
      { name: "checkpoint-backup", script: "scripts/backup_checkpoint.sh", eventPattern: "Checkpoint", priority: 100 },
    ],
    text: `hooks:
  definitions:
    # Block dangerous bash commands
    - name: bash-safety-guard
      type: inline
      matcher:
        events: [PreToolUse]
        tools: [bash]
      inline_rules:
        - field: args.command
          operator: contains
          value: "rm -rf /"
          action: deny
          reason: "Dangerous system-wide delete blocked"
        
        - field: args.command
          operator: matches
          value: "^rm\\\\s+-rf\\\\s+/"
          action: deny
          reason: "Regex matched dangerous delete"
      priority: 10  # Run early
    
    # LLM review for complex decisions
    - name: llm-code-reviewer
      type: llm
      prompt: |
        Review this code modification:
        Tool: {{tool}}
        File: {{args.file_path}}
        Changes size: {{args.content | length}}
        
        Check for:
        - Security vulnerabilities
        - Hardcoded secrets
        - SQL injection risks
        
        Respond with JSON: {"action": "continue|deny", "reason": "..."}
      matcher:
        events: [PreToolUse]
        tools: [write_file, edit_file]
        path_patterns: ["*.py", "*.js", "*.ts"]
      timeout: 15
      priority: 50
    
    # Log all errors
    - name: error-logger
      type: command
      command: python scripts/log_error.py
      matcher:
        events: [Error]
      priority: 100
    
    # Backup on checkpoint
    - name: checkpoint-backup
      type: command
      script: scripts/backup_checkpoint.sh
      matcher:
        events: [Checkpoint]
      priority: 100
`,
  },
  {
    shows: "hooks on a change of the model",
    hooks: [
      { name: "model-usage-tracker", command: "python scripts/track_model_usage.py", eventPattern: "ModelSwitch" },
      {
        name: "expensive-model-blocker",
        type: "inline",
        inlineRules: [
          {
            field: "new_model",
            operator: "contains",
            value: "opus",
            action: "deny",
            reason: "Expensive model blocked in CI environment",
          },
        ],
      },
    ],
    text: `hooks:
  definitions:
    - name: model-usage-tracker
      type: command
      command: python scripts/track_model_usage.py
      matcher:
        events: [ModelSwitch]
      priority: 100
    
    - name: expensive-model-blocker
      type: inline
      matcher:
        events: [ModelSwitch]
      inline_rules:
        - field: new_model
          operator: contains
          value: "opus"
          action: deny
          reason: "Expensive model blocked in CI environment"
`,
  },
];

test.each(EXAMPLES)("$shows can be used as it stands", ({ text, hooks: expected }) => {
  const { hooks, errors, warnings } = load("hooks.yaml", text);
  expect([...errors, ...warnings]).toEqual([]);
  expect(hooks).toHaveLength(expected.length);
  for (const [index, hook] of hooks.entries()) expect(hook).toMatchObject(expected[index] ?? {});
});

test("backslashes in double quotes are YAML's own, so a pattern arrives with one each", () => {
  const guard = load("hooks.yaml", EXAMPLES[3]?.text ?? "").hooks[0];
  expect(guard?.inlineRules?.[1]?.value).toBe("^rm\\s+-rf\\s+/");
});

test("hooks in JSON can be used as they stand", () => {
  const hook = { event: "tool:pre_execute", command: "echo hello", timeout: 5.0 };
  const { hooks, errors, warnings } = load("hooks.json", JSON.stringify({ hooks: [hook] }));
  expect([...errors, ...warnings]).toEqual([]);
  expect(hooks[0]).toMatchObject({ eventPattern: "tool:pre_execute", timeout: 5, enabled: true });
});
