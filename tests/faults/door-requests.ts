/** Where the daemon answers posts. */
export interface Door {
  readonly port: number;
  readonly secret: string;
}

/** One request to the posted door; the call in it is one that the user's rule denies. */
export interface DoorRequest {
  readonly name: string;
  /** The bytes, in the pieces in which they are sent. */
  readonly pieces: readonly (string | Buffer)[];
  /** Whether it has to be answered with the denial; else it may also be refused, or the connection closed. */
  readonly isHonest: boolean;
  /** Whether it has to be refused: not even the denial may be told. */
  readonly isForeign: boolean;
}

interface Parts {
  readonly method: string;
  readonly path: string;
  readonly version: string;
  readonly headers: readonly string[];
  readonly body: string | Buffer;
  /** Writes the body and the headers about it. */
  readonly frame: (body: Buffer) => {
    readonly headers: readonly string[];
    readonly pieces: readonly (string | Buffer)[];
  };
}

/** One way in which a request is not as an agent sends it; `fine` where that does not matter, `foreign` where no one may be answered. */
interface Twist {
  readonly name: string;
  readonly is: "fine" | "odd" | "foreign";
  readonly to: (parts: Parts, door: Door) => Partial<Parts>;
}

const CALL = {
  session_id: "door",
  hook_event_name: "PreToolUse",
  tool_name: "Bash",
  tool_input: { command: "forbidden-program now" },
};

function plain({ port, secret }: Door, cwd: string): Parts {
  return {
    method: "POST",
    path: "/hook/claude-code/PreToolUse",
    version: "HTTP/1.1",
    headers: [`Host: 127.0.0.1:${port}`, `Authorization: Bearer ${secret}`, "Content-Type: application/json"],
    body: JSON.stringify({ ...CALL, cwd }),
    frame: (body) => ({ headers: [`Content-Length: ${body.length}`], pieces: [body] }),
  };
}

/** Puts other headers in the place of one. */
function instead(name: string, ...lines: string[]) {
  return ({ headers }: Parts): Partial<Parts> => ({
    headers: headers.flatMap((line) => (line.toLowerCase().startsWith(`${name}:`) ? lines : [line])),
  });
}

const host = (name: string, is: Twist["is"], lines: (own: string) => readonly string[]): Twist => ({
  name: `host: ${name}`,
  is,
  to: (parts, { port }) => instead("host", ...lines(`127.0.0.1:${port}`))(parts),
});

const HOSTS: readonly Twist[] = [
  host("localhost", "fine", (own) => [`Host: ${own.replace("127.0.0.1", "localhost")}`]),
  host("none", "foreign", () => []),
  host("empty", "foreign", () => ["Host:"]),
  host("another", "foreign", () => ["Host: example.com"]),
  host("another with the port", "foreign", (own) => [`Host: ${own.replace("127.0.0.1", "example.com")}`]),
  host("two, the right one first", "foreign", (own) => [`Host: ${own}`, "Host: example.com"]),
  host("two, the right one last", "foreign", (own) => ["Host: example.com", `Host: ${own}`]),
  host("the same twice", "foreign", (own) => [`Host: ${own}`, `Host: ${own}`]),
  host("two in other letters", "foreign", (own) => [`Host: ${own}`, "hOST: example.com"]),
  host("two apart by a comma", "foreign", (own) => [`Host: ${own}, example.com`]),
  host("a name that begins like it", "foreign", (own) => [`Host: ${own.replace(":", ".example.com:")}`]),
  host("a user in front", "foreign", (own) => [`Host: example.com@${own}`]),
  host("a path behind", "foreign", (own) => [`Host: ${own}/x`]),
  host("a blank in it", "foreign", (own) => [`Host: ${own} example.com`]),
  host("every address", "foreign", (own) => [`Host: ${own.replace("127.0.0.1", "0.0.0.0")}`]),
  host("X-Forwarded-Host beside it", "odd", (own) => [`Host: ${own}`, "X-Forwarded-Host: example.com"]),
];

const auth = (name: string, lines: (secret: string) => readonly string[], is: Twist["is"] = "foreign"): Twist => ({
  name: `token: ${name}`,
  is,
  to: (parts, { secret }) => instead("authorization", ...lines(secret))(parts),
});

const TOKENS: readonly Twist[] = [
  auth("none", () => []),
  auth("empty", () => ["Authorization:"]),
  auth("only its scheme", () => ["Authorization: Bearer "]),
  auth("another", (secret) => [`Authorization: Bearer ${"0".repeat(secret.length)}`]),
  auth("its beginning", (secret) => [`Authorization: Bearer ${secret.slice(0, -1)}`]),
  auth("one sign more", (secret) => [`Authorization: Bearer ${secret}0`]),
  auth("another last sign", (secret) => [
    `Authorization: Bearer ${secret.slice(0, -1)}${secret.endsWith("0") ? "1" : "0"}`,
  ]),
  auth("in a cookie", (secret) => [`Cookie: token=${secret}`]),
  auth("as a user", (secret) => [`Authorization: Basic ${Buffer.from(`x:${secret}`).toString("base64")}`]),
  auth("without a scheme", (secret) => [`Authorization: ${secret}`]),
  auth("twice, the right one last", (secret) => ["Authorization: Bearer x", `Authorization: Bearer ${secret}`]),
  auth("twice, the right one first", (secret) => [`Authorization: Bearer ${secret}`, "Authorization: Bearer x"], "odd"),
  auth("in capital letters", (secret) => [`Authorization: Bearer ${secret.toUpperCase()}`], "odd"),
];

const header = (name: string, is: Twist["is"], ...lines: string[]): Twist => ({
  name,
  is,
  to: ({ headers }) => ({ headers: [...headers, ...lines] }),
});

const ORIGINS: readonly Twist[] = [
  header("origin: another", "foreign", "Origin: https://example.com"),
  header("origin: null", "foreign", "Origin: null"),
  header("origin: empty", "odd", "Origin:"),
  header("origin: this machine", "foreign", "Origin: http://127.0.0.1"),
  header("origin: an extension", "foreign", "Origin: chrome-extension://abc"),
  header("origin: two", "foreign", "Origin: http://localhost", "Origin: https://example.com"),
  header("origin: a page's fetch", "odd", "Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: no-cors"),
  header("an upgrade to WebSocket", "odd", "Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13"),
  header(
    "an upgrade to HTTP/2",
    "odd",
    "Connection: Upgrade, HTTP2-Settings",
    "Upgrade: h2c",
    "HTTP2-Settings: AAMAAABk",
  ),
  header("X-HTTP-Method-Override", "odd", "X-HTTP-Method-Override: DELETE"),
];

const METHODS: readonly Twist[] = [
  "GET",
  "HEAD",
  "PUT",
  "DELETE",
  "PATCH",
  "OPTIONS",
  "TRACE",
  "PROPFIND",
  "post",
  "FOO",
].map((method): Twist => ({ name: `method: ${method}`, is: "foreign", to: () => ({ method }) }));

const PATHS: readonly Twist[] = [
  "/",
  "//",
  "/hook",
  "/hook/",
  "/hook/claude-code",
  "/hook/claude-code/",
  "/hook/claude-code/PostToolUse",
  "/hook/claude-code/PostToolUseFailure",
  "/hook/claude-code/PermissionRequest",
  "/hook/claude-code/Stop",
  "/hook/claude-code/SessionStart",
  "/hook/claude-code/NoSuchEvent",
  "/hook/claude-code/pretooluse",
  "/hook/claude-code/PreToolUse/",
  "/hook/claude-code/PreToolUse/x",
  "/hook/claude-code//PreToolUse",
  "/hook/claude-code/PostToolUse/../PreToolUse",
  "/hook/claude-code/%50reToolUse",
  "/hook/claude-code/PreToolUse%00",
  "/hook/claude-code/../../etc/passwd",
  "/hook/../hook/claude-code/PreToolUse",
  "/hook/%2e%2e/%2e%2e/etc/passwd",
  "/hook/codex/PreToolUse",
  "/hook/gemini-cli/BeforeTool",
  "/hook/no-such-agent/PreToolUse",
  "/hook/__proto__/PreToolUse",
  "/hook/claude-code/__proto__",
  "/hook/claude-code/constructor",
  "/hook/claude-code/PreToolUse?event=PostToolUse",
  "/hook/claude-code/PreToolUse#x",
  "/hook/claude-code/PreToolUse;x=y",
  "http://example.com/hook/claude-code/PreToolUse",
  "http://127.0.0.1/hook/claude-code/PostToolUse",
  "*",
  "hook/claude-code/PreToolUse",
  `/hook/claude-code/${"P".repeat(9000)}`,
].map((path): Twist => ({ name: `path: ${path.slice(0, 60)}`, is: "odd", to: () => ({ path }) }));

const TYPES: readonly Twist[] = [
  ["none"],
  ["empty", "Content-Type:"],
  ["text/plain", "Content-Type: text/plain"],
  ["a form", "Content-Type: application/x-www-form-urlencoded"],
  ["multipart", "Content-Type: multipart/form-data; boundary=x"],
  ["JSON in UTF-8", "Content-Type: application/json; charset=utf-8"],
  ["JSON in UTF-16", "Content-Type: application/json; charset=utf-16"],
  ["in capital letters", "Content-Type: APPLICATION/JSON"],
  ["a name that ends in JSON", "Content-Type: application/vnd.x+json"],
  ["a name that begins like it", "Content-Type: application/jsonp"],
  ["two", "Content-Type: text/plain", "Content-Type: application/json"],
  ["packed", "Content-Type: application/json", "Content-Encoding: gzip"],
].map(([name = "", ...lines]): Twist => ({ name: `type: ${name}`, is: "odd", to: instead("content-type", ...lines) }));

const body = (name: string, make: (text: string) => string | Buffer, is: Twist["is"] = "odd"): Twist => ({
  name: `body: ${name}`,
  is,
  to: ({ body }) => ({ body: make(String(body)) }),
});

/** The payload with other values; `undefined` takes one out. */
const other = (more: object) => (text: string) => JSON.stringify({ ...JSON.parse(text), ...more });
/** The payload with text behind its first brace, or before its last. */
const first = (text: string) => (own: string) => own.replace("{", `{${text},`);
const last = (text: string) => (own: string) => own.replace(/\}$/, `,${text}}`);

const BODIES: readonly Twist[] = [
  body("empty", () => ""),
  body("blanks", () => " \n "),
  body("null", () => "null"),
  body("a number", () => "1"),
  body("a text", () => '"x"'),
  body("a list", (text) => `[${text}]`),
  body("an empty list", () => "[]"),
  body("an empty object", () => "{}"),
  body("two objects", (text) => text + text),
  body("text behind it", (text) => `${text} x`),
  body("text before it", (text) => `x ${text}`),
  body("cut off", (text) => text.slice(0, -5)),
  body("with a byte order mark", (text) => `\uFEFF${text}`),
  body("in UTF-16", (text) => Buffer.from(text, "utf16le")),
  body("with a NUL behind it", (text) => `${text}\0`),
  body("with a NUL in the command", other({ tool_input: { command: "forbidden-program\0now" } })),
  body("not UTF-8", (text) =>
    Buffer.concat([Buffer.from(text.slice(0, -1)), Buffer.from([0x2c, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d])]),
  ),
  body("an event that the path contradicts", other({ hook_event_name: "PostToolUse" })),
  body("an event that no tool has", other({ hook_event_name: "Stop" })),
  body("an unknown event", other({ hook_event_name: "Nothing" })),
  body("no event", other({ hook_event_name: undefined })),
  body("an event that is a list", other({ hook_event_name: ["PreToolUse"] })),
  body("two events, the other first", first('"hook_event_name":"PostToolUse"')),
  body("two events, the other last", last('"hook_event_name":"PostToolUse"')),
  body("two inputs, a harmless one last", last('"tool_input":{"command":"ls"}')),
  body("two inputs, a harmless one first", first('"tool_input":{"command":"ls"}')),
  body("two commands in one input", (text) => text.replace('"command":', '"command":"ls","command":')),
  body("two commands in one input, the harmless one last", (text) => text.replace('now"', 'now","command":"ls"')),
  body("two tools, the other last", last('"tool_name":"Read"')),
  body("two tools with an escape in one name", last('"tool\\u005fname":"Read"')),
  body("no tool", other({ tool_name: undefined })),
  body("a tool that is a number", other({ tool_name: 7 })),
  body("an input that is text", other({ tool_input: "forbidden-program now" })),
  body("an input that is a list", other({ tool_input: ["forbidden-program", "now"] })),
  body("a command that is a list", other({ tool_input: { command: ["forbidden-program", "now"] } })),
  body("no folder", other({ cwd: undefined })),
  body("a folder that is not there", other({ cwd: "/no/such/folder" }), "fine"),
  body("a folder that is a number", other({ cwd: 3 })),
  body("no session", other({ session_id: undefined }), "fine"),
  body("__proto__", first('"__proto__":{"tool_input":{"command":"ls"}}')),
  body("nested 100,000 deep beside it", last(`"x":${"[".repeat(100_000)}${"]".repeat(100_000)}`)),
  body("nested 3,000 deep in the input", (text) =>
    text.replace('"command"', `"x":${'{"a":'.repeat(3000)}1${"}".repeat(3000)},"command"`),
  ),
  body("100,000 keys beside it", last(Array.from({ length: 100_000 }, (_, at) => `"k${at}":1`).join())),
  body("1 MB beside it", last(`"x":"${"x".repeat(1_000_000)}"`)),
  body("more than it takes", last(`"x":"${"x".repeat(17_000_000)}"`)),
];

const frame = (name: string, frame: Parts["frame"], is: Twist["is"] = "odd"): Twist => ({
  name: `frame: ${name}`,
  is,
  to: () => ({ frame }),
});

const size = (text: Buffer) => text.length.toString(16);
const CHUNKED = "Transfer-Encoding: chunked";

const FRAMES: readonly Twist[] = [
  frame(
    "in two pieces",
    (all) => ({ headers: [`Content-Length: ${all.length}`], pieces: [all.subarray(0, 9), all.subarray(9)] }),
    "fine",
  ),
  frame("in chunks", (all) => ({ headers: [CHUNKED], pieces: [`${size(all)}\r\n`, all, "\r\n0\r\n\r\n"] }), "fine"),
  frame("a chunk for each byte", (all) => ({
    headers: [CHUNKED],
    pieces: [
      Buffer.concat([...all.subarray(0, 5000)].map((byte) => Buffer.from([0x31, 13, 10, byte, 13, 10]))),
      "0\r\n\r\n",
    ],
  })),
  frame("a chunk with an extension", (all) => ({
    headers: [CHUNKED],
    pieces: [`${size(all)};x="y"\r\n`, all, "\r\n0\r\n\r\n"],
  })),
  frame("a trailer", (all) => ({
    headers: [CHUNKED, "Trailer: Host"],
    pieces: [`${size(all)}\r\n`, all, "\r\n0\r\nHost: example.com\r\n\r\n"],
  })),
  frame("no last chunk", (all) => ({ headers: [CHUNKED], pieces: [`${size(all)}\r\n`, all, "\r\n"] })),
  frame("a size that is none", (all) => ({ headers: [CHUNKED], pieces: ["zz\r\n", all, "\r\n0\r\n\r\n"] })),
  frame("a huge size", (all) => ({ headers: [CHUNKED], pieces: ["ffffffffffffffffff\r\n", all, "\r\n0\r\n\r\n"] })),
  frame("a size below zero", (all) => ({ headers: [CHUNKED], pieces: ["-1\r\n", all, "\r\n0\r\n\r\n"] })),
  frame("length and chunks", (all) => ({
    headers: ["Content-Length: 4", CHUNKED],
    pieces: [`${size(all)}\r\n`, all, "\r\n0\r\n\r\n"],
  })),
  frame("chunks and length", (all) => ({ headers: [CHUNKED, `Content-Length: ${all.length}`], pieces: [all] })),
  frame("chunked twice", (all) => ({
    headers: ["Transfer-Encoding: chunked, chunked"],
    pieces: [`${size(all)}\r\n`, all, "\r\n0\r\n\r\n"],
  })),
  frame("an unknown encoding", (all) => ({
    headers: ["Transfer-Encoding: xchunked", `Content-Length: ${all.length}`],
    pieces: [all],
  })),
  frame("two lengths", (all) => ({ headers: [`Content-Length: ${all.length}`, "Content-Length: 2"], pieces: [all] })),
  frame("no length", (all) => ({ headers: [], pieces: [all] })),
  frame("too short a length", (all) => ({ headers: [`Content-Length: ${all.length - 3}`], pieces: [all] })),
  frame("too long a length", (all) => ({ headers: [`Content-Length: ${all.length + 3}`], pieces: [all] })),
  frame("a length below zero", (all) => ({ headers: ["Content-Length: -1"], pieces: [all] })),
  frame("a length that is no number", (all) => ({ headers: ["Content-Length: 0x10"], pieces: [all] })),
  frame("a length of 20 digits", (all) => ({ headers: ["Content-Length: 99999999999999999999"], pieces: [all] })),
  frame("a length of zero", (all) => ({ headers: ["Content-Length: 0"], pieces: [all] })),
  frame("it waits for a go-ahead", (all) => ({
    headers: [`Content-Length: ${all.length}`, "Expect: 100-continue"],
    pieces: [all],
  })),
  frame("it expects something else", (all) => ({
    headers: [`Content-Length: ${all.length}`, "Expect: x"],
    pieces: [all],
  })),
  frame("a folded header", (all) => ({
    headers: [`Content-Length: ${all.length}`, "X: a\r\n Host: example.com"],
    pieces: [all],
  })),
  frame("a blank before the colon", (all) => ({ headers: [`Content-Length : ${all.length}`], pieces: [all] })),
  frame("a NUL in a header", (all) => ({ headers: [`Content-Length: ${all.length}`, "X: \0"], pieces: [all] })),
  frame("a huge header", (all) => ({
    headers: [`Content-Length: ${all.length}`, `X: ${"x".repeat(100_000)}`],
    pieces: [all],
  })),
  frame("5,000 headers", (all) => ({
    headers: [`Content-Length: ${all.length}`, ...Array.from({ length: 5000 }, (_, at) => `X-${at}: 1`)],
    pieces: [all],
  })),
  frame("a second request behind it", (all) => ({
    headers: [`Content-Length: ${all.length}`],
    pieces: [all, "GET / HTTP/1.1\r\nHost: example.com\r\n\r\n"],
  })),
  frame("a harmless body behind the real one", (all) => ({
    headers: [`Content-Length: ${all.length}`],
    pieces: [all, '{"tool_name":"Read"}'],
  })),
];

const VERSIONS: readonly Twist[] = ["HTTP/1.0", "HTTP/0.9", "HTTP/2.0", "HTTP/1.2", "http/1.1", "X", ""].map(
  (version): Twist => ({ name: `version: ${version}`, is: "odd", to: () => ({ version }) }),
);

/** Every twist alone. */
export function singleRequests(door: Door, cwd: string): DoorRequest[] {
  const all = [HOSTS, TOKENS, ORIGINS, METHODS, PATHS, TYPES, BODIES, FRAMES, VERSIONS].flat();
  return [made([], door, cwd), ...all.map((twist) => made([twist], door, cwd))];
}

/** Twists of two kinds at once. */
export function pairedRequests(door: Door, cwd: string): DoorRequest[] {
  const small = BODIES.filter(({ name }) => !/000|1 MB|more than/.test(name));
  return [
    ...HOSTS.flatMap((host) => FRAMES.slice(0, 12).map((frame) => [host, frame])),
    ...PATHS.flatMap((path) =>
      ["two inputs, a harmless one last", "two events, the other first"].map((name) => [
        path,
        BODIES.find((body) => body.name === `body: ${name}`),
      ]),
    ),
    ...small.flatMap((body) => [FRAMES[1], FRAMES[9], FRAMES[15], TYPES[2]].map((frame) => [body, frame])),
    ...METHODS.flatMap((method) => [FRAMES[1], FRAMES[14]].map((frame) => [method, frame])),
  ].map((twists) =>
    made(
      twists.filter((twist) => twist !== undefined),
      door,
      cwd,
    ),
  );
}

function made(twists: readonly Twist[], door: Door, cwd: string): DoorRequest {
  let parts = plain(door, cwd);
  for (const { to } of twists) parts = { ...parts, ...to(parts, door) };
  const { headers, pieces } = parts.frame(Buffer.from(parts.body as string));
  const head = [`${parts.method} ${parts.path} ${parts.version}`.trimEnd(), ...parts.headers, ...headers, "", ""];
  return {
    name: twists.map(({ name }) => name).join("; ") || "as an agent sends it",
    pieces: [head.join("\r\n"), ...pieces],
    isHonest: twists.every(({ is }) => is === "fine"),
    isForeign: twists.some(({ is }) => is === "foreign"),
  };
}
