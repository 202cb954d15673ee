/** Configurations that users of the field know, as they were first written down. */
export const SIMPLE_RULES = `\
hooks:
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
`;

/** The same in the rule language. */
export const RULE_LANGUAGE = `\
hooks:
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
`;

/** Several kinds of hooks in one file. */
export const COMPREHENSIVE = `\
hooks:
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
`;

/** A hook that follows model switches, and one that refuses some. */
export const MODEL_SWITCH = `\
hooks:
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
`;
