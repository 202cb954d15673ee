import type { Guard } from "./guard.ts";

/** The machine stays usable. */
export const exhaustion: Guard = {
  title: "Using up the machine",
  why: "A fork bomb or an endless file leaves a machine that no longer responds.",
  rules: [
    {
      value: "exhaust",
      standard: "deny",
      strict: "deny",
      paranoid: "deny",
      reason: "This uses up the processes, the memory or the disk of the machine.",
      remedy: "dd if=/dev/zero of=/tmp/zeros.bin bs=1M count=10",
    },
  ],
  stops: [
    ":(){ :|:& };:",
    "bomb() { bomb | bomb & }; bomb",
    "yes > big.txt",
    "cat /dev/zero > big.bin",
    "dd if=/dev/zero of=/tmp/fill",
  ],
  passes: ["yes | head -3", "f() { echo hi; }; f", "head -c 100 /dev/urandom", "for i in 1 2 3; do echo $i; done"],
};
