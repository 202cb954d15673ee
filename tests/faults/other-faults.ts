/** What a fault has to come to: the denial counts, or the failure is told and `onError` decides, or nothing is wrong. */
type ComesTo = "denies" | "breaks" | "passes" | "told";

/** The bytes of a server, and what it does behind them. */
interface Reply {
  readonly text: string;
  readonly encoding?: BufferEncoding;
  readonly then?: "end" | "reset" | "hang";
}

interface Served {
  readonly name: string;
  readonly reply: Reply;
  readonly comesTo: ComesTo;
}

const DENIAL = '{"action":"deny","reason":"no"}';
const JSON_TYPE = "Content-Type: application/json";

function http(
  body: string,
  { status = "200 OK", headers = [JSON_TYPE] }: { status?: string; headers?: string[] } = {},
): string {
  return [
    `HTTP/1.1 ${status}`,
    ...headers,
    `Content-Length: ${Buffer.byteLength(body)}`,
    "Connection: close",
    "",
    body,
  ].join("\r\n");
}

const served = (name: string, comesTo: ComesTo, reply: string | Reply): Served => ({
  name,
  comesTo,
  reply: typeof reply === "string" ? { text: reply } : reply,
});

/** How a server that is asked by a hook may answer. */
export const SERVED: readonly Served[] = [
  served("denies", "denies", http(DENIAL)),
  served("denies over many lines", "denies", http(JSON.stringify(JSON.parse(DENIAL), null, 2))),
  served("denies in a list", "denies", http(`[${DENIAL}]`)),
  served("denies behind a byte order mark", "denies", http(`\uFEFF${DENIAL}`)),
  served("denies as text", "denies", http(DENIAL, { headers: ["Content-Type: text/plain"] })),
  served("denies without a type", "denies", http(DENIAL, { headers: [] })),
  served(
    "answers with a page",
    "breaks",
    http("<!doctype html><h1>Sign in</h1>", { headers: ["Content-Type: text/html"] }),
  ),
  served("answers with a page that says JSON", "breaks", http("<!doctype html><h1>Sign in</h1>")),
  served("answers with text", "passes", http("OK", { headers: ["Content-Type: text/plain"] })),
  served("answers with a torn object", "breaks", http('{"action":"den')),
  served(
    "closes in the middle of its body",
    "breaks",
    `HTTP/1.1 200 OK\r\n${JSON_TYPE}\r\nContent-Length: 500\r\n\r\n{"action":`,
  ),
  served("resets in the middle of its body", "breaks", {
    text: `HTTP/1.1 200 OK\r\n${JSON_TYPE}\r\nContent-Length: 500\r\n\r\n{`,
    then: "reset",
  }),
  served("never ends its body", "breaks", {
    text: `HTTP/1.1 200 OK\r\n${JSON_TYPE}\r\nContent-Length: 500\r\n\r\n{`,
    then: "hang",
  }),
  served("never answers", "breaks", { text: "", then: "hang" }),
  served("closes without a word", "breaks", ""),
  served("is no server of HTTP", "breaks", "220 mail.example.com ESMTP\r\n"),
  served(
    "sends elsewhere",
    "breaks",
    http("", { status: "302 Found", headers: ["Location: http://127.0.0.1:PORT/0"] }),
  ),
  served(
    "sends to itself",
    "breaks",
    http("", { status: "307 Temporary Redirect", headers: ["Location: http://127.0.0.1:PORT/17"] }),
  ),
  served("is broken", "breaks", http("oops", { status: "500 Internal Server Error" })),
  served("refuses", "breaks", http("", { status: "401 Unauthorized" })),
  served("does not know the address", "breaks", http("", { status: "404 Not Found" })),
  served("is too busy", "breaks", http("", { status: "429 Too Many Requests" })),
  served("says yes and nothing", "passes", http("", { status: "204 No Content" })),
  served("says an unknown verdict", "breaks", http('{"action":"perhaps"}')),
  served("says a number", "breaks", http("1")),
  served("says UTF-16", "told", {
    text: `HTTP/1.1 200 OK\r\n${JSON_TYPE}\r\nConnection: close\r\n\r\n${DENIAL}`,
    encoding: "utf16le",
  }),
  served("packs what is not packed", "breaks", http(DENIAL, { headers: [JSON_TYPE, "Content-Encoding: gzip"] })),
  served(
    "says two lengths",
    "breaks",
    `HTTP/1.1 200 OK\r\n${JSON_TYPE}\r\nContent-Length: 2\r\nContent-Length: 31\r\n\r\n${DENIAL}`,
  ),
  served(
    "sends torn chunks",
    "breaks",
    `HTTP/1.1 200 OK\r\n${JSON_TYPE}\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n${DENIAL}`,
  ),
];

const plugin = (body: string) =>
  `export default { name: "p", preToolUse: run, postToolUse: run };\nasync function run() { ${body} }\n`;

/** How a plugin may go wrong. */
export const PLUGINS: Readonly<Record<string, { readonly code: string; readonly comesTo: ComesTo }>> = {
  denies: { code: plugin('return ["block", "no"];'), comesTo: "denies" },
  "denies and prints": {
    code: plugin('console.log("hello"); process.stdout.write("{}\\n"); return ["block", "no"];'),
    comesTo: "denies",
  },
  throws: { code: plugin('throw new Error("x");'), comesTo: "breaks" },
  "throws nothing": { code: plugin("throw undefined;"), comesTo: "breaks" },
  rejects: { code: plugin('return Promise.reject(new Error("x"));'), comesTo: "breaks" },
  "never returns": { code: plugin("return new Promise(() => {});"), comesTo: "breaks" },
  "spins for ever": { code: plugin("for (;;);"), comesTo: "breaks" },
  exits: { code: plugin("process.exit(0);"), comesTo: "breaks" },
  "kills itself": {
    code: plugin('process.kill(process.pid, "SIGKILL"); return new Promise(() => {});'),
    comesTo: "breaks",
  },
  "returns a text": { code: plugin('return "block";'), comesTo: "breaks" },
  "returns a number": { code: plugin("return 1;"), comesTo: "breaks" },
  "returns an unknown verdict": { code: plugin('return ["perhaps", null];'), comesTo: "breaks" },
  "cannot be read": { code: "export default {", comesTo: "breaks" },
  "throws while it is loaded": { code: 'throw new Error("x");', comesTo: "breaks" },
  "exits while it is loaded": { code: "process.exit(0);", comesTo: "breaks" },
  "never ends loading": { code: "await new Promise(() => {});", comesTo: "breaks" },
  "exports nothing": { code: "export const x = 1;", comesTo: "breaks" },
  "imports what is not there": { code: 'import "./no-such-file.mjs";', comesTo: "breaks" },
};
