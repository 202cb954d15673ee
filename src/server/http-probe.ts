import { request } from "node:http";
import { type HttpAddress, LOOPBACK } from "./http-address.ts";

/** What came back over HTTP, or why nothing did. */
export type Posted =
  | { readonly came: "answer"; readonly status: number; readonly body: string; readonly ms: number }
  | { readonly came: "nothing"; readonly why: string };

/** Posts a call to the engine as an agent would. */
export function post(
  { port, secret }: HttpAddress,
  path: string,
  payload: object,
  headers: Readonly<Record<string, string>> = {},
): Promise<Posted> {
  const began = performance.now();
  return new Promise((resolve) => {
    const asked = request(
      {
        host: LOOPBACK,
        port,
        path,
        method: "POST",
        agent: false,
        timeout: PATIENCE_MS,
        headers: { "content-type": "application/json", authorization: `Bearer ${secret}`, ...headers },
      },
      (response) => {
        let body = "";
        response.setEncoding("utf8").on("data", (text: string) => {
          body += text;
        });
        response.on("close", () =>
          resolve({ came: "answer", status: response.statusCode ?? 0, body, ms: performance.now() - began }),
        );
      },
    );
    asked.on("timeout", () => asked.destroy(new Error("no answer in time")));
    asked.on("error", (error) => resolve({ came: "nothing", why: error.message }));
    asked.end(JSON.stringify(payload));
  });
}

/** Who answers at an address: our engine, nobody, or somebody who does not know the secret. */
export async function whoAnswers(address: HttpAddress): Promise<"us" | "nobody" | "a stranger"> {
  const said = await post(address, "/hook/nobody/Nothing", {});
  if (said.came === "nothing") return /ECONNREFUSED/.test(said.why) ? "nobody" : "a stranger";
  return said.status === 404 && said.body.includes("/hook/<agent>/<moment>") ? "us" : "a stranger";
}

/** Waits until our engine answers there; whether it does in time. */
export async function untilAnswered(address: HttpAddress, ms: number): Promise<boolean> {
  const end = performance.now() + ms;
  for (;;) {
    const who = await whoAnswers(address);
    if (who === "us") return true;
    if (performance.now() > end) return false;
    await new Promise((resolve) => setTimeout(resolve, STEP_MS));
  }
}

const PATIENCE_MS = 20_000;
const STEP_MS = 25;
