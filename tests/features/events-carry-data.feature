Feature: Events carry data
  A factory makes an event; the event tells its data to programs as environment and as JSON.

  Scenario: A tool is about to run
    When I make HookEvent.toolPreExecute from "bash", {"command": "ls"}
    Then the event is a "tool:pre_execute"
    And the event names the tool "bash"
    And its data holds "tool_args" as {"command": "ls"}

  Scenario: A tool has run
    When I make HookEvent.toolPostExecute from "bash", {"command": "ls"}, {"success": true}
    Then the event is a "tool:post_execute"
    And its data holds "tool_args" as {"command": "ls"}
    And its data holds "tool_result" as {"success": true}

  Scenario: A tool has failed
    When I make HookEvent.toolError from "bash", {"command": "ls"}, "Command failed"
    Then the event is a "tool:error"
    And its data holds "error" as "Command failed"

  Scenario: toEnv speaks under every prefix
    Given the tool "bash" is about to run with {"command": "ls"}
    When I call toEnv
    Then the environment has EVENT "tool:pre_execute" under SLUICE_, FORGE_ and OPENCODE_
    And the environment has TOOL_NAME "bash" under SLUICE_, FORGE_ and OPENCODE_
    And the variable OPENCODE_TOOL_ARGS reads as JSON {"command": "ls"}

  Scenario: JSON.stringify takes an event as it is
    Given the tool "bash" is about to run with {"command": "ls"}
    When I stringify the event and parse the text again
    Then the parsed event has the keys "type", "timestamp", "data"
    And the parsed event says "type" is "tool:pre_execute"
