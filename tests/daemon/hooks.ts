/** Guards, rules of every action, and a command that leaves a mark each time it runs. */
export const HOOKS = `guards: standard
hooks:
  - name: no-rmm
    event: tool:pre_execute:@shell
    rules: |
      args.command contains "rmm" -> deny("no rmm here")
      args.command starts_with "make" -> ask("is this a good time?")
  - name: safer-curl
    event: tool:pre_execute:@shell
    rules: |
      args.command starts_with "wget" -> modify(command, "true")
  - name: no-secrets
    event: tool:pre_execute
    rules: |
      path glob "**/.env*" -> deny("secrets stay where they are")
  - name: count
    matcher: { events: [PreToolUse], command_patterns: ["*COUNT*"] }
    command: echo x >> counted
`;
