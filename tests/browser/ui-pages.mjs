import { execFileSync, spawn } from "node:child_process";
import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { openPage } from "./open-browser.mjs";

const COMMAND = fileURLToPath(new URL("../../dist/sluice.cjs", import.meta.url));

/** A throw-away home with a project, and what a newcomer's policy looks like. */
export function madeHome() {
  const home = mkdtempSync(join(tmpdir(), "sluice-ui-"));
  const root = join(home, "shop");
  put(join(root, ".git/HEAD"), "ref: refs/heads/main\n");
  put(join(root, "src/app.ts"), "export const a = 1;\n");
  put(
    join(root, ".orchestration/active_intents.yaml"),
    'active_intents:\n  - { id: INT-1, name: Tokens, status: IN_PROGRESS, owned_scope: ["src/**"] }\n',
  );
  put(
    join(home, ".config/sluice/hooks.yaml"),
    `# My own hooks.
guards: standard
intents:
  mode: advise
hooks:
  # Nobody rewrites main.
  - name: no-force-push
    event: tool:pre_execute:@shell
    rules: |
      args.command contains "push --force" -> deny("Force pushes rewrite what others have.")
  - name: quiet-tests
    event: tool:pre_execute:@shell
    rules:
      - { field: args.command, operator: equals, value: npm test, action: modify, modify_field: args.command, modify_value: npm test --silent }
`,
  );
  const env = {
    PATH: process.env.PATH,
    HOME: home,
    XDG_CONFIG_HOME: join(home, ".config"),
    XDG_STATE_HOME: join(home, ".state"),
    XDG_CACHE_HOME: join(home, ".cache"),
    SLUICE_RESIDENT: "0",
  };
  const journal = join(home, ".state/sluice/decisions");
  return {
    home,
    root,
    env,
    journal,
    remove: () => rmSync(home, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }),
  };
}

/** Lets the built command decide a call of an agent. */
export function call({ root, env }, tool_name, tool_input, session_id = "s-1") {
  const payload = {
    hook_event_name: "PreToolUse",
    session_id,
    cwd: root,
    tool_name,
    tool_input,
    tool_use_id: `t-${Math.random()}`,
  };
  try {
    const options = {
      cwd: root,
      env,
      input: JSON.stringify(payload),
      encoding: "utf8",
      stdio: ["pipe", "pipe", "ignore"],
    };
    return execFileSync(process.execPath, [COMMAND, "run", "claude-code", "--cold"], options);
  } catch ({ status }) {
    return status;
  }
}

/** Lets an agent write a file for an intent, so that the trace has it. */
export function change({ root, env }, path, content, session_id = "s-files") {
  const tell = (type, tool_name, tool_args) => {
    const payload = {
      type,
      tool_name,
      session_id,
      cwd: root,
      data: { tool_use_id: JSON.stringify(tool_args), tool_args },
    };
    execFileSync(process.execPath, [COMMAND, "run", "json", "--cold"], {
      cwd: root,
      env,
      input: JSON.stringify(payload),
    });
  };
  tell("tool:pre_execute", "select_active_intent", { intent_id: "INT-1" });
  tell("tool:pre_execute", "Write", { file_path: path, content });
  put(join(root, path), content);
  tell("tool:post_execute", "Write", { file_path: path, content });
}

/** Writes records as they are, for what no agent would send twice. */
export function record({ journal, root }, parts = {}) {
  const time = parts.time ?? new Date().toISOString();
  const id = Math.floor(Math.random() * 0xffffff)
    .toString(16)
    .padStart(6, "0");
  const whole = {
    v: 1,
    id,
    time,
    kind: "decision",
    agent: "codex",
    session_id: "s-2",
    event: "tool:pre_execute",
    tool: "Bash",
    cwd: root,
    root,
    action: "continue",
    reasons: [],
    results: [],
    duration_ms: 2.5,
    event_json: { type: "tool:pre_execute", tool_name: "Bash", data: { tool_args: { command: "ls" } } },
    ...parts,
  };
  const file = join(journal, `${time.slice(0, 10)}.jsonl`);
  mkdirSync(journal, { recursive: true, mode: 0o700 });
  appendFileSync(file, `${JSON.stringify(whole)}\n`, { mode: 0o600 });
  return whole;
}

/** Starts `sluice ui` in a home; ends with `stop`. */
export async function startUi({ root, env }, args = []) {
  const child = spawn(process.execPath, [COMMAND, "ui", "--json", ...args], {
    cwd: root,
    env,
    stdio: ["ignore", "pipe", "ignore"],
  });
  const line = await new Promise((resolve, reject) => {
    let text = "";
    child.stdout.on("data", (piece) => {
      text += piece;
      if (text.includes("\n")) resolve(text);
    });
    child.on("exit", (code) => reject(new Error(`sluice ui ended with ${code}`)));
  });
  const { url, code } = JSON.parse(line);
  const stop = () =>
    new Promise((resolve) => {
      child.once("exit", resolve);
      child.kill("SIGTERM");
    });
  return { url, code, origin: new URL(url).origin, pid: child.pid, stop };
}

/** Starts `sluice ui` in a terminal, as a person does. */
export async function startUiInTerminal(home) {
  const { says, type, ended } = startInTerminal(home, ["ui", "--no-open"]);
  const [url] = await says(/http:\S+/);
  const [, code] = await says(/code +(\S+)/);
  const stop = () => {
    type("\u0003");
    return ended;
  };
  return { url, code, origin: new URL(url).origin, says, type, stop };
}

/** Starts a command in a terminal, as a person does: `says` waits for a text and forgets all up to it, `type` answers. */
export function startInTerminal({ root, env }, args) {
  const line = [process.execPath, COMMAND, ...args].map((word) => `'${word}'`).join(" ");
  const child = spawn("script", ["-qec", line, "/dev/null"], {
    cwd: root,
    env: { ...env, TERM: "dumb" },
    stdio: ["pipe", "pipe", "inherit"],
  });
  let [text, wake] = ["", () => {}];
  child.stdout.on("data", (piece) => {
    text += piece;
    wake();
  });
  const says = async (wanted) => {
    for (;;) {
      const found = wanted.exec(text);
      if (found !== null) {
        text = text.slice(found.index + found[0].length);
        return found;
      }
      await new Promise((resolve) => {
        wake = resolve;
      });
    }
  };
  const ended = new Promise((resolve) => child.once("exit", resolve));
  return { says, ended, type: (words) => child.stdin.write(words) };
}

/** What of a page lies outside of the window, or has to be scrolled sideways to be seen. */
export function outOfSight(page) {
  return page.evaluate(() => {
    const found = [];
    const name = (element) => `${element.tagName} ${element.className} ${element.textContent?.trim().slice(0, 30)}`;
    if (document.documentElement.scrollWidth > innerWidth) found.push("the page itself");
    for (const element of document.querySelectorAll("body *")) {
      // Lines of code are as long as they are.
      if (element.closest(".cm-editor, svg, pre, .lines, .skip")) continue;
      const { overflowX, display } = getComputedStyle(element);
      const isTooWide = element.clientWidth > 0 && element.scrollWidth > element.clientWidth + 1;
      if (isTooWide && /auto|scroll/.test(overflowX)) found.push(`has to be scrolled: ${name(element)}`);
      if (!element.matches("button, a, input, select, textarea, label, summary")) continue;
      const { left, right, width } = element.getBoundingClientRect();
      if (width > 0 && (left < -1 || right > innerWidth + 1)) found.push(`is outside: ${name(element)}`);
      if (isTooWide && overflowX === "visible" && display !== "inline") found.push(`is cut: ${name(element)}`);
    }
    return found;
  });
}

/** What a finger cannot hit: controls of less than 44 pixels. Links in a text, and what is inside of a code editor, are left out. */
export function smallTargets(page) {
  return page.evaluate(() => {
    const found = [];
    for (const element of document.querySelectorAll(
      "button, select, input, textarea, summary, nav a, .acts a, .virtual-row",
    )) {
      if (element.closest(".cm-editor, .skip") || element.matches(".lines .virtual-row")) continue;
      const { width, height } = (element.closest("label") ?? element).getBoundingClientRect();
      if (width > 0 && height < 43.5)
        found.push(`${Math.round(height)} px: ${element.tagName} ${element.textContent?.trim().slice(0, 30)}`);
    }
    return found;
  });
}

/** Writes the calls of a home into one file. */
export function exportUi({ root, env }, file) {
  return execFileSync(process.execPath, [COMMAND, "ui", "--export", file], { cwd: root, env, encoding: "utf8" });
}

/** A page that is logged in. */
export async function loggedIn(browser, ui, options = {}) {
  const opened = await openPage(browser, { viewport: { width: 1280, height: 720 }, ...options });
  const { page } = opened;
  await page.goto(ui.url);
  await page.getByLabel("One-time code").fill(ui.code);
  await page.keyboard.press("Enter");
  await page.getByRole("navigation", { name: "Pages" }).waitFor();
  return opened;
}

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** What axe finds wrong with a page. */
export async function axeProblems(page) {
  // The page's own policy lets no script in that it did not bring; the debugger is not bound by it.
  const client = await page.context().newCDPSession(page);
  await client.send("Runtime.evaluate", { expression: AXE });
  const found = await client.send("Runtime.evaluate", {
    expression:
      "axe.run(document).then((r) => JSON.stringify(r.violations.map((v) => `${v.id}: ${v.nodes.map((n) => n.target).join(', ')}`)))",
    awaitPromise: true,
    returnByValue: true,
  });
  return JSON.parse(found.result.value);
}

/** Writes a file with its folders. */
export function put(path, text) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
