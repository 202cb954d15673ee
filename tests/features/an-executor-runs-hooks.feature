Feature: An executor runs hooks
  executeHooks runs the commands of all hooks that hear an event, one after the other.

  Scenario: A command that succeeds
    Given a hook that runs "echo 'hello'"
    When the tool "bash" is about to run
    Then its exit code is 0
    And its output has "hello"
    And it succeeded

  Scenario: A command that fails
    Given a hook that runs "exit 1"
    When the tool "bash" is about to run
    Then its exit code is 1
    And it did not succeed
    And the call should not continue

  Scenario: A command reads the event from its environment
    Given a hook that runs "echo $OPENCODE_TOOL_NAME"
    When the tool "bash" is about to run
    Then its output has "bash"

  Scenario: A command that takes too long is ended
    Given a hook with a timeout of 1 s that runs "echo $$ > pid; exec sleep 10"
    When the tool "bash" is about to run
    Then it timed out
    And the process whose number is in the file "pid" is gone

  Scenario: Every hook that hears gives a result
    Given these hooks are registered:
      | event            | command   |
      | tool:pre_execute | echo one  |
      | tool:*           | echo two  |
      | *                | echo more |
    When the tool "bash" is about to run
    Then there are 3 results

  Scenario: stopOnFailure ends the chain at the first failure
    Given these hooks are registered:
      | event            | command     |
      | tool:pre_execute | touch first |
      | tool:pre_execute | exit 1      |
      | tool:pre_execute | touch third |
    When the tool "bash" is about to run, with stopOnFailure
    Then there are 2 results
    And the file "first" is there
    But the file "third" is not there

  Scenario: Without stopOnFailure all of them run
    Given these hooks are registered:
      | event            | command     |
      | tool:pre_execute | touch first |
      | tool:pre_execute | exit 1      |
      | tool:pre_execute | touch third |
    When the tool "bash" is about to run
    Then there are 3 results
    And the file "first" is there
    And the file "third" is there
