Feature: Templates to begin with
  HOOK_TEMPLATES holds hooks that work as they are.

  Scenario: log_all
    Given the template "log_all"
    Then it listens to "*"
    When the template hears the tool "bash" about to run with {"command": "ls"}
    Then a new file in the user's home tells of "tool:pre_execute"

  Scenario: git_auto_commit
    Given the template "git_auto_commit"
    And the project is a git repository with a new file
    Then it listens to "tool:post_execute:write"
    When the template hears that the tool "write" has run
    Then git has one commit and nothing left to add

  Scenario: block_sudo
    Given the template "block_sudo"
    Then it listens to "tool:pre_execute:bash"
    When the template hears the tool "bash" about to run with {"command": "sudo ls"}
    Then its exit code is 1
    And the call should not continue
    When the template hears the tool "bash" about to run with {"command": "ls"}
    Then the call should continue
