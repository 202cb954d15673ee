/** One control of a catalogue, and what this software does about it. */
export interface ControlClaim {
  readonly id: string;
  readonly title: string;
  /** What is claimed; undefined if nothing is. */
  readonly claim?: string;
  /** The tests of this repository that fail if the claim is not true. */
  readonly tests: readonly string[];
}

/** Catalogues of controls. A claim without a test does not load, and the tests check that each file exists. */
export const CONTROLS: Readonly<Record<string, readonly ControlClaim[]>> = {
  "OWASP Top 10 for Agentic Applications (2026)": [
    {
      id: "ASI01",
      title: "Agent goal hijack",
      claim: "Acts are judged by what they do, whoever asked for them: a denied act stays denied in other words.",
      tests: ["tests/protect/deny-memory.test.ts", "tests/protect/same-act.test.ts"],
    },
    {
      id: "ASI02",
      title: "Tool misuse and exploitation",
      claim: "Every tool call passes the same stages before it runs; destructive commands are stopped or kept first.",
      tests: ["tests/guards/guards.test.ts", "tests/undo/kept-and-undone.test.ts"],
    },
    {
      id: "ASI03",
      title: "Identity and privilege abuse",
      claim:
        "Agents cannot change the policy, the settings that call it, or its records; what weakens it needs a person.",
      tests: ["tests/protect/self-protection.test.ts", "tests/protect/person.test.ts"],
    },
    {
      id: "ASI04",
      title: "Agentic supply chain vulnerabilities",
      claim:
        "Nothing of a project runs before its exact bytes were approved; packs and bundles are pinned and verified.",
      tests: ["tests/trust/clone-and-open.test.ts", "tests/packs/packs.test.ts", "tests/bundle/attacks.test.ts"],
    },
    {
      id: "ASI05",
      title: "Unexpected code execution",
      claim:
        "Hooks run in processes of their own, with limits and without credentials; a plugin cannot change a decision.",
      tests: ["tests/plugins/attacks.test.ts"],
    },
    {
      id: "ASI06",
      title: "Memory and context poisoning",
      claim: "Writes to memory files are an event of their own, which can be denied.",
      tests: ["src/decide/memory-writes.test.ts"],
    },
    { id: "ASI07", title: "Insecure inter-agent communication", tests: [] },
    {
      id: "ASI08",
      title: "Cascading failures",
      claim:
        "A hook that fails, hangs or floods is a failure with a name; no failure lets a call pass that a gate guards.",
      tests: ["src/engine/judge.test.ts", "src/engine/executor.test.ts"],
    },
    {
      id: "ASI09",
      title: "Human-agent trust exploitation",
      claim: "An approval is a person's, at a terminal of their own, and is bound to the input that was shown.",
      tests: ["src/approvals/person.test.ts", "src/approvals/under-approvals.test.ts"],
    },
    {
      id: "ASI10",
      title: "Rogue agents",
      claim: "Every call is recorded, changes are in a hash chain, and tampering with either is noticed.",
      tests: ["tests/trace/integrity.test.ts", "tests/protect/tampering.test.ts"],
    },
  ],
  "SOC 2, Trust Services Criteria (2017, revised 2022)": [
    {
      id: "CC6.1",
      title: "Logical access to protected information",
      claim: "Writes outside of what an intent owns are denied on every write path.",
      tests: ["tests/intent/write-paths.test.ts"],
    },
    {
      id: "CC6.8",
      title: "Unauthorized or malicious software",
      claim: "Hooks of a cloned project run only after their exact bytes were approved.",
      tests: ["tests/trust/hook-by-hook.test.ts"],
    },
    {
      id: "CC7.2",
      title: "Monitoring for anomalies",
      claim: "Decisions are recorded without secrets and sent to a collector at least once.",
      tests: ["tests/trace/planted-secrets.test.ts", "tests/assurance/ship.test.ts"],
    },
    {
      id: "CC8.1",
      title: "Change management",
      claim:
        "Each record names the policy that decided it; a changed policy is judged against recorded calls before it applies.",
      tests: ["tests/replay/replayed-policies.test.ts"],
    },
    { id: "CC6.7", title: "Transmission of information", tests: [] },
  ],
};
