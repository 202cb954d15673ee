Feature: Hooks become JSON and come back
  Hook.fromJSON reads the object of a configuration file; toJSON gives it back.

  Scenario: toJSON
    Given a hook made with:
      | event       | tool:pre_execute |
      | command     | echo hello       |
      | timeout     | 5                |
      | description | Test hook        |
    When I call toJSON
    Then the object has:
      | event       | tool:pre_execute |
      | command     | echo hello       |
      | timeout     | 5                |
      | description | Test hook        |

  Scenario: fromJSON
    When I call Hook.fromJSON with:
      """json
      { "event": "tool:pre_execute", "command": "echo hello", "timeout": 5.0 }
      """
    Then I have a Hook
    And its event pattern is "tool:pre_execute"
    And its timeout is 5 s

  Scenario: What goes without saying
    When I call Hook.fromJSON with:
      """json
      { "event": "tool:*", "command": "true" }
      """
    Then I have a Hook
    And its timeout is 10 s
    And it is enabled
