import { APPEND, EVENT, NOW, sh } from "./shell-text.ts";
import { template } from "./template.ts";

/** What the user asked for is kept, for the user alone. */
export const logPrompts = template({
  title: "Keep a private log of prompts",
  why: "What was asked for is gone when the session is.",
  spec: {
    name: "log_prompts",
    event: "user:prompt_submit",
    description: "Appends every prompt, as JSON, to sluice/prompts.log in the folder for state; only you can read it.",
    command: sh`
      ${EVENT}
      ${NOW}
      ${APPEND}
      prompt=$(printf '%s\n' "$json" | LC_ALL=C grep -oE '"(prompt|user_input)":"([^"\]|\\.)*"' | head -n 1)
      printf '{"at":"%s",%s}\n' "$(now)" "$prompt" | append prompts.log || exit 1`,
    mode: "monitor",
    onError: "continue",
    exitCodes: "claude",
    tags: ["log"],
  },
  examples: [
    {
      does: "keeps a prompt with quotes and lines as one line of JSON",
      event: "user:prompt_submit",
      data: { prompt: 'say "hi"\nand go' },
      expect: "continue",
      after: String.raw`grep -q '"prompt":"say \\"hi\\"\\nand go"}$' "$XDG_STATE_HOME/sluice/prompts.log"`,
    },
    {
      does: "lets nobody else read the log",
      event: "user:prompt_submit",
      data: { prompt: "hello" },
      expect: "continue",
      after: `ls -l "$XDG_STATE_HOME/sluice/prompts.log" | grep -q '^-rw-------'`,
    },
  ],
});
