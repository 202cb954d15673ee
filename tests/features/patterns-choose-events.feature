Feature: Patterns choose events
  A hook's pattern says which events it hears.

  Scenario: A full name hears its own event
    Given a hook that listens to "tool:pre_execute"
    Then it hears "tool:pre_execute"

  Scenario: A full name is deaf to its neighbour
    Given a hook that listens to "tool:pre_execute"
    Then it does not hear "tool:post_execute"

  Scenario: A star hears a whole category and no other
    Given a hook that listens to "tool:*"
    Then it hears "tool:pre_execute"
    And it hears "tool:post_execute"
    But it does not hear "llm:pre_request"

  Scenario: A third part asks for the tool
    Given a hook that listens to "tool:pre_execute:bash"
    Then it hears "tool:pre_execute" with the tool "bash"
    But it does not hear "tool:pre_execute" with the tool "read"
    And it does not hear "tool:pre_execute"

  Scenario: Commas join patterns
    Given a hook that listens to "session:start,session:end"
    Then it hears "session:start"
    And it hears "session:end"
    But it does not hear "session:message"

  Scenario: A lone star hears everything
    Given a hook that listens to "*"
    Then it hears every event there is, with a tool and without
