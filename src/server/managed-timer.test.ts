import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { nextFetch } from "../bundle/fetch-due.ts";
import { readManagedSettings } from "../config/managed-bundle.ts";
import { fetchManagedBundles } from "./managed-timer.ts";

it("a daemon fetches the bundle in a process of its own, as soon as `managed` is configured", async () => {
  const home = mkdtempSync(join(tmpdir(), "sluice-timer-"));
  const [seen, command] = [join(home, "seen"), join(home, "command.cjs")];
  writeFileSync(command, `require("node:fs").writeFileSync(${JSON.stringify(seen)}, process.argv.slice(2).join(" "));`);
  mkdirSync(join(home, "config", "sluice"), { recursive: true });
  const key = `ed25519:${"A".repeat(43)}=`;
  writeFileSync(join(home, "config", "sluice", "hooks.yaml"), `managed: { url: "file:///x", keys: ["${key}"] }\n`);
  const env = { HOME: home, XDG_CONFIG_HOME: join(home, "config"), XDG_STATE_HOME: join(home, "state") };
  fetchManagedBundles([process.execPath, command], env);
  await expect.poll(() => existsSync(seen) && readFileSync(seen, "utf8")).toBe("bundle fetch");
});

it("a fetch is due after `every`, give or take a tenth, and at once for another address", () => {
  const settings = readManagedSettings({ url: "https://a.example/b", keys: [], every: "10m" });
  const last = { at: 1_000_000, url: settings.url, outcome: "same" } as const;
  expect(nextFetch(settings, undefined, 0, 5)).toBe(5);
  expect(nextFetch(settings, last, 0, 1_000_001)).toBe(1_000_000 + 540_000);
  expect(nextFetch(settings, last, 1, 1_000_001)).toBe(1_000_000 + 660_000);
  expect(nextFetch(settings, { ...last, url: "https://b.example/b" }, 0, 1_000_001)).toBe(1_000_001);
  expect(nextFetch(settings, last, 0, 999_999)).toBe(999_999);
});
