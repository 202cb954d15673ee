/** What every agent is asked to do; a conversation without this text is that of a sub-agent. */
export const PROMPT = "do what you are told";
