import { write } from "./example-events.ts";
import { ARGS, quoted, sh, VALUES, WRITTEN } from "./shell-text.ts";
import { template } from "./template.ts";

const KEYS = [
  "-----BEGIN ([A-Z]+ )*PRIVATE KEY-----",
  "(AKIA|ASIA)[0-9A-Z]{16}",
  "gh[pousr]_[A-Za-z0-9]{36}",
  "glpat-[A-Za-z0-9_-]{20}",
  "xox[abprs]-[A-Za-z0-9-]{10}",
  "AIza[A-Za-z0-9_-]{35}",
  "sk-(ant-|proj-|live_)?[A-Za-z0-9_-]{24}",
];
const SAYS = "looks like a private key or an access token";

/** Put together here, so that no scanner takes this file for a leak. */
const made = (...parts: readonly string[]) => parts.join("");

/** No key gets into a file. */
export const noKeysInCode = template({
  title: "No keys and tokens in files",
  why: "A key that reaches a commit has to be replaced everywhere.",
  spec: {
    name: "no_keys_in_code",
    event: "tool:pre_execute:@write",
    description:
      "Denies file tools that write a private key or a well-known kind of access token. It knows common shapes only; it is no security boundary.",
    command: sh`
      ${ARGS}
      ${VALUES}
      ${WRITTEN}
      written | LC_ALL=C grep -qE -e ${quoted(`(^|[^A-Za-z0-9])(${KEYS.join("|")})`)} || exit 0
      echo 'This text holds what ${SAYS}. Read it from the environment, and name the variable instead.'
      exit 1`,
    tags: ["guard", "files"],
  },
  examples: [
    {
      does: "denies a private key",
      ...write("a.txt", made("x\n-----BEGIN RSA PRIVATE", " KEY-----\nabc")),
      expect: "deny",
      says: SAYS,
    },
    {
      does: "denies an access key in an edit",
      event: "tool:pre_execute",
      tool: "Edit",
      args: { file_path: "a.ts", old_string: "x", new_string: made('const k = "AK', 'IAIOSFODNN7EXAMPLE";') },
      expect: "deny",
      says: SAYS,
    },
    {
      does: "lets a key be taken out",
      event: "tool:pre_execute",
      tool: "apply_patch",
      args: { input: made("*** Update File: a.ts\n-AK", "IAIOSFODNN7EXAMPLE\n+process.env.KEY") },
      expect: "continue",
    },
    {
      does: "lets the name of a variable pass",
      ...write("a.ts", "process.env.AWS_ACCESS_KEY_ID"),
      expect: "continue",
    },
    {
      does: "lets ordinary words pass",
      ...write("a.md", "a task-manager-with-a-very-long-hyphenated-name"),
      expect: "continue",
    },
  ],
});
