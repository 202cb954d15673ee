Feature: One call fires an event
  fireEvent runs the hooks for an event without further ceremony.

  Scenario: On the shared registry
    Given the shared registry has a hook that runs "touch fired; echo heard"
    When I call fireEvent
    Then the file "fired" is there
    And its output has "heard"

  Scenario: With an executor of one's own
    Given a registry of my own has a hook that runs "touch fired; echo heard"
    And the shared registry has a hook that runs "touch wrong"
    When I call fireEvent with my executor
    Then the file "fired" is there
    And its output has "heard"
    But the file "wrong" is not there
