import { copyFileSync, mkdirSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { runtimeDirOf } from "../../src/server/runtime-dir.ts";
import { campaign } from "../campaigns/self-protection/campaign.mjs";
import { runCommand } from "../command-server/run-command.ts";
import { BEST, readyClient } from "../daemon/daemon-home.ts";

/** Every so many cases of the campaign are tried in a test run; `npm run campaign self-protection` tries all. */
const EVERY = 60;

describe.runIf(process.platform === "linux")("a part of the campaign against self-protection", () => {
  it("stops attacks by the payloads of six agents, and lets their harmless neighbours pass", {
    timeout: 180_000,
  }, async () => {
    let at = 0;
    const { counts, failed } = await campaign(resolve(import.meta.dirname, "../.."), {
      keep: () => at++ % EVERY === 0,
      beforeInstall,
      command: (args, { cwd, env, bundle }) =>
        expect(runCommand(args, { cwd, env, launcher: bundle })).toMatchObject({ code: 0 }),
    });
    expect(failed.map(({ call, why }) => `${call.command ?? JSON.stringify(call)}: ${why}`)).toEqual([]);
    expect(counts.attacks).toBeGreaterThan(30);
    expect(counts.passed).toBe(counts.harmless);
  });
});

/** Puts the native client where installing would compile it. */
function beforeInstall({
  env,
  bundle,
}: {
  readonly env: Readonly<Record<string, string>>;
  readonly bundle: string;
}): void {
  if (BEST !== "native") return;
  const home = mkdtempSync(join(tmpdir(), "client-home-"));
  const { path } = readyClient(BEST, home, { PATH: process.env.PATH ?? "", HOME: home });
  const { folder } = runtimeDirOf([process.execPath, bundle], { env });
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  copyFileSync(path, join(folder, basename(path)));
}
