Feature: Hooks block calls
  Before a tool runs, the exit code of a hook decides whether it may.

  Scenario: A failing hook stops the tool
    Given these hooks are registered:
      | event            | command |
      | tool:pre_execute | exit 1  |
    When the tool "bash" is about to run
    Then the call should not continue
    When a ToolExecutor executes the tool "bash"
    Then it throws HookBlockedError
    And the tool has not run

  Scenario: A succeeding hook lets the tool run
    Given these hooks are registered:
      | event            | command |
      | tool:pre_execute | exit 0  |
    When the tool "bash" is about to run
    Then the call should continue
    When a ToolExecutor executes the tool "bash"
    Then the tool has run

  Scenario: What the hook prints is the reason
    Given a hook for "tool:pre_execute" that runs the script:
      """
      echo "Blocked: dangerous command detected"
      exit 1
      """
    When a ToolExecutor executes the tool "bash"
    Then it throws HookBlockedError
    And the message has "Blocked: dangerous command detected"
