import { build } from "esbuild";
import { expect, it } from "vitest";
import { lazyModules } from "../../scripts/lazy-modules.mjs";

/** Modules of a small program, by their paths. */
const FILES: Readonly<Record<string, string>> = {
  "src/entry.ts": `
    const seen = globalThis.SEEN;
    seen.push("entry");
    import("./first.ts").then((first) => seen.push(first.run(), first.LATE.size, new first.Kind("k").name, typeof first.never, first.NOW.length));`,
  "src/first.ts": `
    import * as second from "./second.ts";
    import { PLACES, tell, shape } from "./second.ts";
    globalThis.SEEN.push("first");
    export const LATE = new Map([["a", second.note("LATE made")], ["b", 2]]);
    export const NEVER_READ = [second.note("NEVER made")];
    export const NOW = [process.pid, second.note("NOW made")];
    export class Kind { constructor(readonly name: string) {} }
    const holder = { Kind, tell };
    export const never = undefined;
    export function run() {
      const { tell: told = "default", ...rest } = holder;
      const shorthand = { PLACES, shape };
      for (const place of PLACES) globalThis.SEEN.push(place);
      return [told("x"), Object.keys(rest).join(), shorthand.PLACES.length, new holder.Kind("h").name, second.counted(), second.counted(), shape.test("ab")].join(" ");
    }`,
  "src/second.ts": `
    globalThis.SEEN.push("second");
    const HIDDEN = [1, 2, 3, 4, 5, 6];
    export const PLACES = ["p" + local(), "q"];
    export const shape = /^a(b)$/u;
    let count = 0;
    export function counted() { return (count += 1); }
    export function tell(what: string) { return "told " + what; }
    export function note(what: string) { return globalThis.SEEN.push(what); }
    function local() { return HIDDEN.length; }`,
};

it("the bundle for calls does what its modules do, and makes each table at its first reading", async () => {
  const plain = await bundled();
  const eager = run(plain);
  const lazy = run(lazyModules(plain));
  await expect.poll(() => lazy.length).toBeGreaterThan(8);
  expect(eager.filter((said) => !/ made$/.test(String(said)))).toEqual(
    lazy.filter((said) => !/ made$/.test(String(said))),
  );
  expect(eager).toContain("NEVER made");
  expect(lazy).not.toContain("NEVER made");
  // What depends on the moment is made when its module is.
  expect(lazy.indexOf("NOW made")).toBe(lazy.indexOf("first") + 1);
  expect(lazy.indexOf("LATE made")).toBeGreaterThan(lazy.indexOf("first"));
});

it("a bundle that cannot be read is no bundle", () => {
  expect(() => lazyModules("var =")).toThrow("cannot be parsed");
});

function run(code: string): unknown[] {
  const seen: unknown[] = [];
  new Function("globalThis", "require", "module", "exports", code)({ SEEN: seen }, () => ({}), { exports: {} }, {});
  return seen;
}

async function bundled(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: ["src/entry.ts"],
    bundle: true,
    write: false,
    format: "cjs",
    platform: "node",
    plugins: [
      {
        name: "files",
        setup(build) {
          build.onResolve({ filter: /.*/ }, ({ path }) => ({
            path: `src/${path.replace(/^.*\//, "")}`,
            namespace: "here",
          }));
          build.onLoad({ filter: /.*/, namespace: "here" }, ({ path }) => ({
            contents: FILES[path] ?? "",
            loader: "ts",
          }));
        },
      },
    ],
  });
  return (outputFiles[0]?.text ?? "").replaceAll("// here:", "// ");
}
