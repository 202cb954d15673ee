import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { nextFetch } from "../bundle/bundle-state.ts";
import { readManagedSettings } from "../config/managed-bundle.ts";
import { fetchManagedBundles } from "./managed-timer.ts";

it("a daemon fetches the bundle and ships decisions in processes of their own, as soon as that is configured", async () => {
  const home = mkdtempSync(join(tmpdir(), "sluice-timer-"));
  const [seen, command] = [join(home, "seen"), join(home, "command.cjs")];
  writeFileSync(
    command,
    `require("node:fs").appendFileSync(${JSON.stringify(seen)}, process.argv.slice(2).join(" ") + (process.env.OTEL_X ?? "") + "\\n");`,
  );
  mkdirSync(join(home, "config", "sluice"), { recursive: true });
  const key = `ed25519:${"A".repeat(43)}=`;
  writeFileSync(
    join(home, "config", "sluice", "hooks.yaml"),
    `managed: { url: "file:///x", keys: ["${key}"] }\ntelemetry: { otlp: { endpoint: "http://127.0.0.1:9" } }\n`,
  );
  mkdirSync(join(home, "state", "sluice", "decisions"), { recursive: true });
  writeFileSync(join(home, "state", "sluice", "decisions", "2026-01-01.jsonl"), "{}\n");
  const env = { HOME: home, XDG_CONFIG_HOME: join(home, "config"), XDG_STATE_HOME: join(home, "state"), OTEL_X: "1" };
  fetchManagedBundles([process.execPath, command], env);
  const started = () => (existsSync(seen) ? readFileSync(seen, "utf8").trim().split("\n").sort() : []);
  await expect.poll(started).toEqual(["bundle fetch", "ship --once"]);
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
