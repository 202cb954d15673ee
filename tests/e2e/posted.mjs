import { blocked } from "./judges.mjs";

/** Runs whose agent posts its calls to the daemon instead of starting a command for each. */
export const POSTED_RUNS = [
  {
    calls: ["shell", "write"],
    posts: true,
    hooks: ({ log }) => [
      { event: "tool:pre_execute:@shell", command: "echo 'the quokka objects'; exit 1" },
      { event: "tool:post_execute", command: `echo "post $SLUICE_TOOL_NAME" >> '${log}'` },
    ],
    cells: {
      "a posted deny stops the shell": blocked("shell", "the quokka objects"),
      "a posted call that no hook denies runs": ({ notRun }) => notRun("write"),
    },
  },
  {
    calls: ["shell", "write"],
    posts: true,
    // The process that runs the hook was started by the daemon.
    hooks: () => [{ event: "tool:post_execute:@shell", command: "set -- $(cat /proc/$PPID/stat); kill -9 $4" }],
    cells: {
      "a killed daemon blocks a posted call": (seen) => [...seen.notRun("shell"), ...blocked("write", "")(seen)],
    },
  },
];
