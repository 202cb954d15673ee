/** A way to do harm that the guards do not see, told openly, with an example that shows it. */
export interface NotCovered {
  readonly title: string;
  readonly why: string;
  readonly command: string;
  /** `passes`: nothing is noticed. `unknown`: it is noticed that the effect is unknown, which `strict` asks about. */
  readonly verdict: "passes" | "unknown";
  /** What helps instead. */
  readonly instead: string;
}

/** What no guard can tell from a call alone. A guard is no sandbox. */
export const NOT_COVERED: readonly NotCovered[] = [
  {
    title: "Programs of one's own",
    why: "What a compiled program does cannot be read from its name.",
    command: "./bin/tool --yes",
    verdict: "passes",
    instead: "Run agents in a container or with an account that cannot reach more than it needs.",
  },
  {
    title: "Scripts that are not there yet, or not here",
    why: "A script is read when the call happens; one that another program writes first cannot be.",
    command: "sh ./made-later.sh",
    verdict: "unknown",
    instead: "The strict preset asks about it.",
  },
  {
    title: "Build tools and test runners",
    why: "Tests, build files and plugins are programs, and run whatever stands in them.",
    command: "npx vitest run",
    verdict: "passes",
    instead: "Review what is written before it is run; a container bounds what it can do.",
  },
  {
    title: "Packages that run code when they are installed",
    why: "An install script comes from the network, and is not looked into.",
    command: "npm install some-package",
    verdict: "passes",
    instead: "Set `ignore-scripts=true` in .npmrc; the paranoid preset asks about every installation.",
  },
  {
    title: "Modules that code loads",
    why: "Code on the command line is read, and scripts that it runs; packages that they load are not.",
    command: 'python3 -c "import helpers"',
    verdict: "passes",
    instead: "Review what is written before it is run; a container bounds what it can do.",
  },
  {
    title: "Code in other languages beyond its plain calls",
    why: "Interpreters are read for calls that delete, write and run; names that are put together at run time are not followed.",
    command:
      "python3 -c \"m = __import__('sh' + 'util'); f = [getattr(m, n) for n in dir(m) if n.startswith('rmt')]; f[0]('src')\"",
    verdict: "passes",
    instead: "A container, or a hook that denies `python3 -c`.",
  },
  {
    title: "Values that only the run knows",
    why: "A variable that comes from elsewhere may name anything.",
    command: '"$TOOL" --clean',
    verdict: "unknown",
    instead: "The strict preset asks about it.",
  },
  {
    title: "One file after the other",
    why: "Single files may go, so a patient agent can remove many of them.",
    command: "rm src/a.ts",
    verdict: "passes",
    instead: "Commit often; `recent` in a rule can count deletions in a session.",
  },
  {
    title: "Wrong content",
    why: "A file that is overwritten with nonsense is a write like any other.",
    command: "echo nonsense > src/index.ts",
    verdict: "passes",
    instead: "Commit often, and let tests judge the content.",
  },
  {
    title: "Another machine's shell",
    why: "What happens on a server that one is logged in to is not seen line by line.",
    command: "ssh me@example.com",
    verdict: "passes",
    instead: "Keep the keys of servers out of the agent's reach.",
  },
  {
    title: "Processes by their name",
    why: "A server is often ended by its name, and others may have that name, too.",
    command: "killall node",
    verdict: "passes",
    instead: "End it by its number or its port; the paranoid preset asks about every kill.",
  },
  {
    title: "The whole project in an archive",
    why: "Projects are brought to servers in this way; only files that are named are looked at.",
    command: "tar cz . | ssh me@example.com 'tar xz -C app'",
    verdict: "passes",
    instead: "The strict preset asks about every file that is sent.",
  },
  {
    title: "What lies in packed archives",
    why: "Guards do not open archives. Self-protection does, and asks about those that it cannot read.",
    command: "tar xf backup.tar.xz -C vendor",
    verdict: "passes",
    instead: "Unpack into a new folder first, and copy from there.",
  },
  {
    title: "Requests that change things",
    why: "An address does not say what a request to it does.",
    command: "curl -X POST https://api.example.com/v1/reset",
    verdict: "passes",
    instead: "A rule with the `network` operator can name the hosts that are allowed.",
  },
  {
    title: "Aliases and functions of the user's own shell",
    why: "What a start-up file of the shell defines is not read.",
    command: "deploy",
    verdict: "passes",
    instead: "Agents' shells usually do not load them; keep it so.",
  },
];
