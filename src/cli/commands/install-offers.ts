import { personChannel } from "../../approvals/person-channel.ts";
import { boxSupport } from "../../policies/contain/probe.ts";
import type { CommandInput } from "../command.ts";
import { configurationOf } from "../configuration.ts";
import { placeOf } from "./confirm.ts";

/** What this machine could do besides, and the step that turns it on. */
export function protectionOffers(input: CommandInput): string[] {
  const { io } = input;
  const isProven = personChannel(placeOf(io)) !== "none";
  const { contain } = configurationOf(input).settings;
  return [
    ...(isProven
      ? []
      : ["`sluice approve setup` sets a PIN, with --passkey a passkey: then only you can weaken this protection."]),
    ...(contain === undefined && "backend" in boxSupport(io.env)
      ? ["This machine can run commands of unknown effect in a box: `contain: unknown` in your own configuration."]
      : []),
  ];
}
