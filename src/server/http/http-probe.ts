import { request } from "node:http";
import { type ColdCommand, runtimeDirOf } from "../runtime-dir.ts";
import { type HttpAddress, LOOPBACK, readAddress } from "./http-address.ts";

/** What came back over HTTP, or why nothing did. */
export type PostOutcome =
  | { readonly outcome: "answer"; readonly status: number; readonly body: string; readonly ms: number }
  | { readonly outcome: "nothing"; readonly why: string };

/** Posts a call to the daemon as an agent would. */
export function post(
  { port, secret }: HttpAddress,
  path: string,
  payload: object,
  headers: Readonly<Record<string, string>> = {},
): Promise<PostOutcome> {
  const began = performance.now();
  return new Promise((resolve) => {
    const asked = request(
      {
        host: LOOPBACK,
        port,
        path,
        method: "POST",
        agent: false,
        timeout: TIMEOUT_MS,
        headers: { "content-type": "application/json", authorization: `Bearer ${secret}`, ...headers },
      },
      (response) => {
        let body = "";
        response.setEncoding("utf8").on("data", (text: string) => {
          body += text;
        });
        response.on("close", () =>
          resolve({ outcome: "answer", status: response.statusCode ?? 0, body, ms: performance.now() - began }),
        );
      },
    );
    asked.on("timeout", () => asked.destroy(new Error("no answer in time")));
    asked.on("error", (error) => resolve({ outcome: "nothing", why: error.message }));
    asked.end(JSON.stringify(payload));
  });
}

/** What answers at an address: the daemon, nothing, or a program that does not know the secret. */
export async function peerAt(address: HttpAddress): Promise<"daemon" | "nothing" | "another program"> {
  const posted = await post(address, "/hook/nobody/Nothing", {});
  if (posted.outcome === "nothing") return /ECONNREFUSED/.test(posted.why) ? "nothing" : "another program";
  return posted.status === 404 && posted.body.includes("/hook/<agent>/<hook event>") ? "daemon" : "another program";
}

/** Waits until the daemon answers there; whether it does in time. */
export async function waitForDaemon(address: HttpAddress, ms: number): Promise<boolean> {
  const end = performance.now() + ms;
  for (;;) {
    if ((await peerAt(address)) === "daemon") return true;
    if (performance.now() > end) return false;
    await new Promise((resolve) => setTimeout(resolve, STEP_MS));
  }
}

/** Where agents post their calls, waits for the daemon that was just started: the first tool would be blocked without it. */
export async function waitForPosts(
  cold: ColdCommand,
  env: Readonly<Record<string, string | undefined>>,
): Promise<void> {
  const address = readAddress(runtimeDirOf(cold, { env }));
  if (address !== undefined) await waitForDaemon(address, START_MS);
}

const TIMEOUT_MS = 20_000;
const STEP_MS = 25;
const START_MS = 3000;
