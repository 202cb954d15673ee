import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { expect, it, onTestFinished, vi } from "vitest";
import { nextFetch } from "../bundle/bundle-state.ts";
import { readManagedSettings } from "../config/managed-bundle.ts";
import { fetchManagedBundles } from "./managed-timer.ts";

it("a daemon fetches the bundle and ships decisions in processes of their own, and a fetch that leaves no word again after a while", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
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
  vi.advanceTimersByTime(SOON_MS);
  await expect.poll(started).toEqual(["bundle fetch", "ship --once"]);
  for (let turn = 0; turn < 10; turn++) {
    vi.advanceTimersByTime(SOON_MS);
    await pause(50);
  }
  expect(started()).toEqual(["bundle fetch", "ship --once"]);
  await expect
    .poll(() => {
      vi.advanceTimersByTime(SOON_MS);
      return started();
    })
    .toEqual(["bundle fetch", "bundle fetch", "ship --once"]);
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

/** A daemon looks first after so long, and later at most so often. */
const SOON_MS = 500;
