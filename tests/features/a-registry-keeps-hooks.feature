Feature: A registry keeps hooks
  A registry holds hooks and says which of them hear an event.

  Scenario: Registering adds
    Given an empty registry
    When I register a hook for "tool:pre_execute"
    Then the registry holds 1 hook

  Scenario: getHooks gives those that hear
    Given a registry with these hooks:
      | event            |
      | tool:pre_execute |
      | tool:*           |
      | llm:pre_request  |
    When I ask getHooks for "tool:pre_execute"
    Then I get the hooks for "tool:pre_execute" and "tool:*"

  Scenario: A hook that is switched off is passed over
    Given a registry with these hooks:
      | event            | enabled |
      | tool:pre_execute | false   |
    When I ask getHooks for "tool:pre_execute"
    Then I get no hooks

  Scenario: unregister removes by pattern
    Given a registry with these hooks:
      | event            |
      | tool:pre_execute |
    When I unregister "tool:pre_execute"
    Then unregister says that it removed something
    And the registry holds 0 hooks

  Scenario: clear removes all
    Given a registry with these hooks:
      | event         |
      | tool:*        |
      | session:start |
      | *             |
    When I clear the registry
    Then the registry holds 0 hooks

  Scenario: There is one registry for those who make none
    Given the shared registry was reset
    When I call HookRegistry.getInstance twice
    Then both calls give the same registry
