import { personChannel } from "../approvals/person-channel.ts";
import { type Finding, fine, note, wrong } from "./finding.ts";

/** What proves that a person confirms what weakens protection. */
export function examineConfirmations(env: Readonly<Record<string, string | undefined>>): Finding {
  const channel = personChannel({ env, root: NO_PROJECT });
  if (channel === "none")
    return note(
      "a yes at a terminal confirms what weakens protection; a program that types into that terminal could give it.",
      "`sluice approve setup` sets a PIN, with --passkey a passkey.",
    );
  if (channel === "lost")
    return wrong(
      "a PIN or a passkey was set up, and its file is missing or damaged: nothing can be confirmed.",
      "Find out who removed it (`sluice log`); then run `sluice approve setup` in a terminal of your own.",
    );
  const { pin, passkeys } = channel;
  const count = passkeys.length === 1 ? "a passkey" : `${passkeys.length} passkeys`;
  const what = [...(pin === undefined ? [] : ["a PIN"]), ...(passkeys.length === 0 ? [] : [count])].join(" or ");
  return fine(`what weakens protection needs ${what}`);
}

const NO_PROJECT = "/nonexistent/sluice-no-project";
