/** How far intents hold in a project. */
export type IntentMode = "off" | "advise" | "enforce";

/** What a mode means for an agent that works there. */
export const MODE_MEANS: Readonly<Record<IntentMode, string>> = {
  off: "Intents are off in this project: nothing is checked, and files outside of a scope can be changed all the same.",
  advise:
    "Intents only advise in this project: a call outside the scope is reported to the agent, and nothing is blocked.",
  enforce: "Files outside of the scope of the selected intent cannot be changed.",
};
