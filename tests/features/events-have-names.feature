Feature: Events have names
  Each event has one canonical name, and EventType holds a constant for it.

  Scenario: The life of a tool call
    When I look at EventType
    Then these constants are there:
      | TOOL_PRE_EXECUTE  | tool:pre_execute  |
      | TOOL_POST_EXECUTE | tool:post_execute |
      | TOOL_ERROR        | tool:error        |

  Scenario: The talk with a language model
    When I look at EventType
    Then these constants are there:
      | LLM_PRE_REQUEST   | llm:pre_request   |
      | LLM_POST_RESPONSE | llm:post_response |
      | LLM_STREAM_START  | llm:stream_start  |
      | LLM_STREAM_END    | llm:stream_end    |

  Scenario: The course of a session
    When I look at EventType
    Then these constants are there:
      | SESSION_START   | session:start   |
      | SESSION_END     | session:end     |
      | SESSION_MESSAGE | session:message |

  Scenario: The way of a permission
    When I look at EventType
    Then these constants are there:
      | PERMISSION_CHECK   | permission:check   |
      | PERMISSION_PROMPT  | permission:prompt  |
      | PERMISSION_GRANTED | permission:granted |
      | PERMISSION_DENIED  | permission:denied  |

  Scenario: What a user does
    When I look at EventType
    Then these constants are there:
      | USER_PROMPT_SUBMIT | user:prompt_submit |
      | USER_INTERRUPT     | user:interrupt     |
