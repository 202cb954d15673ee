// Changes to the code that no test can notice, because they make no difference, by the reason for it: file, what stands there,
// what the change puts in its place. `npm run campaign mutants` reads it, and counts every other survivor.
export const SURVIVORS = [
  {
    why: "A short way for the most frequent case; the long way comes to the same.",
    survivors: [
      ["src/engine/chain.ts", "!(given instanceof Promise || Array.isArray(given)) && !asksForChange(given)", "false"],
      ["src/engine/chain.ts", "given instanceof Promise || Array.isArray(given)", "true"],
      [
        "src/engine/chain.ts",
        "{ steps.push({ result: given, saw: current.number }); if (options.stopOnFailure && !given.shouldContinue) break; at = end; continue; }",
        "{}",
      ],
      ["src/engine/chain.ts", "results.some(asksForChange)", "true"],
      ["src/engine/chain.ts", "current.number > 0", "true"],
      ["src/engine/chain.ts", "current.number > 0", "current.number >= 0"],
      ["src/engine/chain.ts", "only === undefined || end > at + 1", "true"],
      ["src/engine/chain.ts", "only === undefined", "only !== undefined"],
      ["src/engine/chain.ts", "end > at + 1", "end >= at + 1"],
      ["src/engine/chain.ts", "at + 1", "at - 1"],
      ["src/engine/judge.ts", 'ran === PASSED && hook.mode !== "monitor"', "false"],
      ["src/decision/aggregate.ts", "gate && (aborted || notices.length > 0)", "true"],
      ["src/decision/aggregate.ts", "gate && (aborted || notices.length > 0)", "gate || aborted || notices.length > 0"],
      ["src/decision/aggregate.ts", "aborted || notices.length > 0", "true"],
      ["src/decision/aggregate.ts", "notices.length > 0", "notices.length >= 0"],
      ["src/decision/aggregate.ts", "!isAsked && changed === undefined && results.every(isQuiet)", "false"],
      ["src/decision/aggregate.ts", '{ return action === "continue" && !context; }', "{}"],
      ["src/decision/aggregate.ts", 'action === "continue" && !context', "false"],
      ["src/decision/aggregate.ts", '"continue"', '""'],
      ["src/decision/patch.ts", "Object.is(before, after)", "false"],
      ["src/decision/modification.ts", "isForNothing", "false"],
      ["src/trust/ledger.ts", "lastProject.real !== real", "true"],
      ["src/trust/ledger.ts", '{ real: "", name: "" }', "{}"],
      ["src/trust/ledger.ts", '""', '"Stryker was here!"'],
      ["src/policies/protect/deny-memory.ts", "recent.length === 0", "false"],
    ],
  },
  {
    why: "The compiler wants the check; where it stands, it always holds.",
    survivors: [
      ["src/engine/chain.ts", "hooks[at]?.parallel", "hooks[at].parallel"],
      ["src/engine/chain.ts", "only === undefined", "false"],
      ["src/engine/chain.ts", "judged[at]?.result", "judged[at].result"],
      ["src/engine/chain.ts", "modifiedData !== undefined", "true"],
      ["src/engine/chain.ts", "result.modifiedData === undefined", "false"],
      ["src/engine/judge.ts", 'failure.why === "signal"', "true"],
      ["src/decision/modification.ts", '"args"', '""'],
      ["src/decision/modification.ts", "word === undefined", "false"],
    ],
  },
  {
    why: "Both sides of the comparison come to the same where they are equal.",
    survivors: [
      ["src/engine/chain.ts", "at < all.length", "at <= all.length"],
      [
        "src/decision/aggregate.ts",
        "STRICTNESS[action] > STRICTNESS[worst]",
        "STRICTNESS[action] >= STRICTNESS[worst]",
      ],
      ["src/decision/aggregate.ts", "strictness >= 0", "strictness > 0"],
      ["src/trust/fingerprint.ts", "placeOf(one) < placeOf(other)", "placeOf(one) <= placeOf(other)"],
    ],
  },
  {
    why: "The value is compared with texts that it cannot be equal to, or a fallback says the same.",
    survivors: [
      ["src/decision/blocked.ts", "exitCode === null", "false"],
      ["src/decision/blocked.ts", "[]", '["Stryker was here"]'],
      ["src/decision/decision.ts", '"HOOK_ERROR"', '""'],
      ["src/trust/ledger.ts", "[]", '["Stryker was here"]'],
    ],
  },
  {
    why: "JSON.parse takes bytes as well as a text, and a function without a return gives nothing.",
    survivors: [
      ["src/policies/protect/state-file.ts", '"utf8"', '""'],
      ["src/policies/protect/state-file.ts", "{ return undefined; }", "{}"],
      ["src/trust/ledger.ts", '"utf8"', '""'],
      ["src/trust/ledger.ts", "{ return undefined; }", "{}"],
    ],
  },
  {
    why: "What has not changed is written again as it is.",
    survivors: [
      ["src/trust/ledger.ts", "left.length < record.approvals.length", "true"],
      ["src/trust/ledger.ts", "left.length < record.approvals.length", "left.length <= record.approvals.length"],
    ],
  },
  {
    why: "Only systems without /proc, or without an entry for the user, come here.",
    survivors: [
      ["src/policies/protect/pause.ts", '{ return ""; }', "{}"],
      ["src/policies/protect/pause.ts", '""', '"Stryker was here!"'],
      ["src/trust/private-approvals.ts", "{ return homedir(); }", "{}"],
    ],
  },
  {
    why: "How long a look took is measured and not compared.",
    survivors: [
      ["src/policies/protect/deny-memory.ts", "milliseconds() - began", "milliseconds() + began"],
      ["src/policies/protect/self-protection.ts", "milliseconds() - began", "milliseconds() + began"],
    ],
  },
];
