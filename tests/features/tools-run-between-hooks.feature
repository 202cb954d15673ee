Feature: Tools run between hooks
  A ToolExecutor fires an event before a tool, and one after it.

  Scenario: Before the tool
    Given a hook for "tool:pre_execute" that writes down the event it hears
    When a ToolExecutor executes the tool "bash" with {"command": "ls"}
    Then the event written down has "tool_name" as "bash"
    And the data written down has "tool_args" as {"command": "ls"}

  Scenario: After the tool
    Given a hook for "tool:post_execute" that writes down the event it hears
    When a ToolExecutor executes the tool "bash" with {"command": "ls"}
    Then the event written down has "type" as "tool:post_execute"
    And the data written down has "tool_result" as "bash has run"

  Scenario: After a tool that fails
    Given a hook for "tool:error" that writes down the event it hears
    And the tool fails with "no such host"
    When a ToolExecutor executes the tool "bash" with {"command": "ls"}
    Then it throws the tool's own error "no such host"
    And the event written down has "type" as "tool:error"
    And the data written down has "error" as "no such host"

  Scenario: A hook for one tool blocks that tool
    Given these hooks are registered:
      | event                 | command |
      | tool:pre_execute:bash | exit 1  |
    When a ToolExecutor executes the tool "bash"
    Then it throws HookBlockedError
    And the tool has not run
