Feature: Hooks live in files
  HookConfig reads and writes the hooks of the user and of a project.

  Scenario: The user's own hooks
    Given the user's hooks.json has 2 hooks
    When I call HookConfig.loadGlobal
    Then 2 hooks are loaded

  Scenario: The hooks of a project
    Given the project's ".src/opencode/hooks.json" has 1 hook
    When I call HookConfig.loadProject
    Then 1 hook is loaded

  Scenario: Both together
    Given the user's hooks.json has 2 hooks
    And the project's ".src/opencode/hooks.json" has 1 hook
    When I call HookConfig.loadAll
    Then 3 hooks are loaded

  Scenario: What is saved is loaded again
    Given a list of these hooks:
      | event            | command    | timeout | description |
      | tool:pre_execute | echo hello | 5       | says hello  |
      | session:*        | true       | 2.5     | says little |
    When I call HookConfig.saveGlobal with the list
    Then the user's hooks.json is JSON with 2 hooks
    And HookConfig.loadGlobal gives the same list

  Scenario: A file that is not there
    Given the user has no hooks.json
    When I call HookConfig.loadGlobal
    Then no hooks are loaded
    And there was no warning

  Scenario: A file that cannot be read
    Given the user's hooks.json is the text "{ not json"
    When I call HookConfig.loadGlobal
    Then no hooks are loaded
    And a warning names the user's hooks.json
