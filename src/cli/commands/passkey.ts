import { dirname, join } from "node:path";
import { newPasskey, type Passkey, type PasskeyQuestion, passkeyProof } from "../../approvals/passkey.ts";
import { notePasskeyUse, personChannel } from "../../approvals/person-channel.ts";
import { announceUiPort } from "../../policies/protect/ui-ports.ts";
import { coldCommand } from "../../server/cold-command.ts";
import type { StatePlace } from "../../trust/state-file.ts";
import { servePasskeyPage } from "../../ui-server/passkey-page.ts";
import type { Io } from "../io.ts";
import { openBrowser } from "./open-browser.ts";

/** Whether the person proves with a passkey, on a page of this machine, that the question is answered with yes. */
export async function isProvenByPasskey(
  question: string,
  io: Io,
  place: StatePlace,
  signal?: AbortSignal,
): Promise<boolean> {
  const channel = personChannel(place);
  if (typeof channel !== "object") return false;
  const ask = await passkeyProof(channel.passkeys);
  const used = await answerOnPage({ ask, kind: "use", text: question, needsCode: false }, io, signal);
  if (used !== undefined) notePasskeyUse(used, place);
  return used !== undefined;
}

/** A new passkey of this user; undefined if none was made. */
export async function createPasskey(known: readonly Passkey[], user: string, io: Io): Promise<Passkey | undefined> {
  const ask = await newPasskey(known, user);
  const text = `Create a passkey for ${user}. Everything that weakens Sluice's protection needs it from then on.`;
  return answerOnPage({ ask, kind: "create", text, needsCode: true }, io);
}

/** Serves the page, and waits for its answer. Agents must not use its port. */
async function answerOnPage<Result>(
  about: {
    readonly ask: PasskeyQuestion<Result>;
    readonly kind: "create" | "use";
    readonly text: string;
    readonly needsCode: boolean;
  },
  io: Io,
  signal?: AbortSignal,
): Promise<Result | undefined> {
  const page = await servePasskeyPage({ ...about, assets: join(dirname(coldCommand()[1] ?? ""), "ui") });
  const forget = announceUiPort(page.port, { env: io.env });
  signal?.addEventListener("abort", page.close, { once: true });
  try {
    io.err(`  address  ${page.url}`);
    if (page.code !== undefined) io.err(`  code     ${page.code}   the page asks for it`);
    io.err("The page asks for your passkey. Ctrl-C cancels.");
    if (io.isTerminal) openBrowser(page.url);
    return await page.result;
  } finally {
    signal?.removeEventListener("abort", page.close);
    forget();
    page.close();
  }
}
