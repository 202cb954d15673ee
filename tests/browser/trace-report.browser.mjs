import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openBrowser, openPage, picture } from "./open-browser.mjs";

const COMMAND = fileURLToPath(new URL("../../dist/sluice.cjs", import.meta.url));
const INTENTS = `active_intents:
  - id: "INT-001"
    name: "JWT Authentication Migration"
    status: "IN_PROGRESS"
    owned_scope: ["src/**", "docs/**"]
`;
const WORK = [
  ["src/auth/token.ts", "export const SCHEME = 'Bearer';\n"],
  ["src/auth/token.ts", "export const SCHEME = 'Bearer';\nexport const LENGTH = 32;\n"],
  ["docs/auth.md", "# Tokens\n\nThey last an hour.\n"],
  ["src/auth/<img src=x onerror=alert(1)>.ts", "export {};\n"],
];

let browser;
let folder;
let report;

beforeAll(async () => {
  browser = await openBrowser();
  folder = mkdtempSync(join(tmpdir(), "sluice-report-"));
  const root = join(folder, "shop");
  put(join(root, ".orchestration/active_intents.yaml"), INTENTS);
  put(join(root, ".sluice/hooks.yaml"), "intents:\n  mode: enforce\nhooks: []\n");
  tell(root, "tool:pre_execute", "select_active_intent", { intent_id: "INT-001" });
  for (const [path, content] of WORK) {
    tell(root, "tool:pre_execute", "Write", { file_path: path, content });
    put(join(root, path), content);
    tell(root, "tool:post_execute", "Write", { file_path: path, content });
  }
  report = join(folder, "changes.html");
  writeFileSync(report, sluice(root, ["trace", "report", "--html"]));
});

afterAll(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true, force: true });
});

function sluice(cwd, args, input = "") {
  const { NODE_EXTRA_CA_CERTS: _, ...inherited } = process.env;
  const own = { HOME: folder, XDG_CONFIG_HOME: join(folder, ".config"), XDG_STATE_HOME: join(folder, ".state") };
  const env = { ...inherited, ...own, SLUICE_RESIDENT: "0" };
  return execFileSync(process.execPath, [COMMAND, ...args], { cwd, input, env, encoding: "utf8" });
}

function tell(cwd, type, tool_name, tool_args) {
  const data = { tool_use_id: JSON.stringify(tool_args), tool_args };
  sluice(cwd, ["run", "json", "--cold"], JSON.stringify({ type, tool_name, session_id: "s1", cwd, data }));
}

function put(path, text) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

test("the report opens from the disk, shows every change, and loads nothing from elsewhere", async () => {
  const { page, context, complaints } = await openPage(browser);
  const asked = [];
  page.on("request", (request) => asked.push(request.url()));
  await page.goto(pathToFileURL(report).href);
  expect(await page.title()).toBe("Changes of shop");
  await page.getByText("trace OK, hash chain intact: 4 records").waitFor();
  expect(await page.locator("dd").allTextContents()).toEqual(["4", "1", "3", "6"]);
  const changes = page
    .locator("tbody tr")
    .filter({ hasText: /\d\d:\d\d:\d\d/ })
    .filter({ hasText: "Write" });
  expect(await changes.count()).toBe(4);
  for (const [path] of WORK) expect(await changes.filter({ hasText: path }).first().isVisible()).toBe(true);
  expect(await changes.first().textContent()).toContain("INT-001");
  expect(await page.locator("img, script").count()).toBe(0);
  expect(asked).toEqual([pathToFileURL(report).href]);
  expect(complaints).toEqual([]);
  await picture(page, "report-light");
  await context.close();
});

test.each([
  ["dark", { colorScheme: "dark" }],
  ["narrow", { viewport: { width: 420, height: 800 } }],
])("the report can be read when the screen is %s", async (name, options) => {
  const { page, context } = await openPage(browser, options);
  await page.goto(pathToFileURL(report).href);
  const { ink, ground, width } = await page.evaluate(() => {
    const { color, backgroundColor } = getComputedStyle(document.body);
    return { ink: color, ground: backgroundColor, width: document.documentElement.scrollWidth };
  });
  expect(Math.abs(brightness(ink) - brightness(ground))).toBeGreaterThan(120);
  expect(width).toBeLessThanOrEqual(page.viewportSize().width);
  const tallest = await page.locator("th").evaluateAll((heads) => Math.max(...heads.map((head) => head.offsetHeight)));
  expect(tallest).toBeLessThan(60);
  await picture(page, `report-${name}`);
  await context.close();
});

function brightness(colour) {
  const [red, green, blue] = colour.match(/\d+/g).map(Number);
  return 0.3 * red + 0.59 * green + 0.11 * blue;
}
