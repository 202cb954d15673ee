import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished } from "vitest";
import { type Project, project } from "../cli/sluice.ts";
import { commandEnded } from "../command-server/run-command.ts";
import { claimsOf } from "./claims.ts";

/** A user with one recorded call. */
function recorded(): Project {
  const at = project();
  at.sluice("fire", "tool:pre_execute", "--tool", "Bash", "--args", '{"command":"ls planted-argument"}');
  return at;
}

/** A collector that gives each answer. */
async function collector(status: number): Promise<string> {
  const server = createServer((request, response) => {
    request.resume().on("end", () => response.writeHead(status).end());
  });
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  onTestFinished(() => void server.close());
  return `otlp+http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function shipped(at: Project, target: string) {
  const [XDG_CONFIG_HOME, XDG_STATE_HOME] = [join(at.home, ".config"), join(at.home, ".state")];
  const env = {
    PATH: process.env.PATH,
    HOME: at.home,
    XDG_CONFIG_HOME,
    XDG_STATE_HOME,
    NO_COLOR: "",
    SLUICE_RESIDENT: "0",
  };
  return commandEnded(["ship", "--to", target, "--once"], { cwd: at.root, env });
}

claimsOf("sluice ship", [
  {
    says: '"1 record shipped in all.", exit code 0',
    whenTrue: async () => {
      const at = recorded();
      const { code, out } = at.sluice("ship", "--to", "file:out.jsonl", "--once");
      expect([code, out]).toEqual([0, expect.stringContaining("1 record shipped in all.")]);
      expect(readFileSync(join(at.root, "out.jsonl"), "utf8").trim().split("\n")).toHaveLength(1);
      expect((await shipped(at, await collector(200))).out).toContain("1 record shipped in all.");
    },
    whenFalse: {
      "the file cannot be written": () => {
        const at = recorded();
        mkdirSync(join(at.root, "out.jsonl"));
        const { code, out, err } = at.sluice("ship", "--to", "file:out.jsonl", "--once");
        expect([code, out]).toEqual([1, expect.stringContaining("0 records shipped in all")]);
        expect(err).toContain("cannot be written");
      },
      "the collector refuses the record": async () => {
        const { code, out } = await shipped(recorded(), await collector(400));
        expect([code, out]).toEqual([1, expect.stringContaining("0 records shipped in all, 1 refused by it")]);
      },
      "the collector wants other headers": async () => {
        const { code, out } = await shipped(recorded(), await collector(401));
        expect([code, out]).toEqual([1, expect.stringContaining("0 records shipped in all")]);
      },
      "a line of the journal cannot be read": () => {
        const at = recorded();
        const day = new Date().toISOString().slice(0, 10);
        writeFileSync(join(at.home, ".state/sluice/decisions", `${day}.jsonl`), "not a record\n");
        const { out, err } = at.sluice("ship", "--to", "file:out.jsonl", "--once");
        expect(out).toContain("0 records shipped in all");
        expect(`${out}${err}`).toContain("1 line of the journal could not be read");
      },
    },
  },
  {
    says: '"Without --arguments, what calls wanted to do stays on the machine"',
    whenTrue: () => {
      const at = recorded();
      at.sluice("ship", "--to", "file:out.jsonl", "--once");
      expect(readFileSync(join(at.root, "out.jsonl"), "utf8")).not.toContain("planted-argument");
    },
    whenFalse: {
      "arguments are asked for": () => {
        const at = recorded();
        at.sluice("ship", "--to", "file:out.jsonl", "--once", "--arguments");
        expect(readFileSync(join(at.root, "out.jsonl"), "utf8")).toContain("planted-argument");
      },
    },
  },
]);
