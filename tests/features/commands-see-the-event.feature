Feature: Commands see the event
  A command hook finds the event in its environment.

  Scenario: The tool's input is JSON
    Given a hook that runs "printf %s \"$OPENCODE_TOOL_ARGS\""
    When the tool "write" is about to run with {"file": "/tmp/test", "content": "hello"}
    Then its output reads as JSON {"file": "/tmp/test", "content": "hello"}

  Scenario: A hook without a folder of its own runs where the event happens
    Given a hook that runs "pwd; echo $OPENCODE_WORKING_DIR"
    When the tool "bash" is about to run
    Then both lines of its output name the project's folder

  Scenario: The session has a name
    Given a hook that runs "echo $OPENCODE_SESSION_ID"
    When the tool "bash" is about to run in the session "sess_123"
    Then its output has "sess_123"
