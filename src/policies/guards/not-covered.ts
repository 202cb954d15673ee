/** A way to do harm that the guards do not detect, with an example that shows it. */
export interface NotCovered {
  readonly title: string;
  readonly why: string;
  readonly command: string;
  /** `passes`: nothing is detected. `unknown`: the unknown effect is detected, and `strict` asks about it. */
  readonly verdict: "passes" | "unknown";
  /** What helps instead. */
  readonly instead: string;
}

/** What no guard can detect from a call alone. A guard is not a sandbox. */
export const NOT_COVERED: readonly NotCovered[] = [
  {
    title: "Your own programs",
    why: "What a compiled program does cannot be read from its name.",
    command: "./bin/tool --yes",
    verdict: "passes",
    instead: "Run agents in a container or with an account that cannot reach more than it needs.",
  },
  {
    title: "Scripts that do not exist yet, or are elsewhere",
    why: "A script is read when the call is made; a script that another program writes first cannot be read.",
    command: "sh ./made-later.sh",
    verdict: "unknown",
    instead: "The strict preset asks about it.",
  },
  {
    title: "Build tools and test runners",
    why: "Tests, build files and plugins are programs, and run whatever they contain.",
    command: "npx vitest run",
    verdict: "passes",
    instead: "Review what is written before it runs; a container limits what it can do.",
  },
  {
    title: "Packages that run code when they are installed",
    why: "An install script comes from the network and is not read.",
    command: "npm install some-package",
    verdict: "passes",
    instead: "Set `ignore-scripts=true` in .npmrc; the paranoid preset asks about every installation.",
  },
  {
    title: "Modules that code loads",
    why: "Code on the command line is read, and so are scripts that it runs; packages that they load are not.",
    command: 'python3 -c "import helpers"',
    verdict: "passes",
    instead: "Review what is written before it runs; a container limits what it can do.",
  },
  {
    title: "Code in other languages beyond plain calls",
    why: "Calls that delete, write and run are recognized in code; names that are built at run time are not followed.",
    command:
      "python3 -c \"m = __import__('sh' + 'util'); f = [getattr(m, n) for n in dir(m) if n.startswith('rmt')]; f[0]('src')\"",
    verdict: "passes",
    instead: "A container, or a hook that denies `python3 -c`.",
  },
  {
    title: "Values that are only known at run time",
    why: "A variable that is set elsewhere may name anything.",
    command: '"$TOOL" --clean',
    verdict: "unknown",
    instead: "The strict preset asks about it.",
  },
  {
    title: "One file after the other",
    why: "Single files may be deleted, so a patient agent can delete many of them.",
    command: "rm src/a.ts",
    verdict: "passes",
    instead: "Commit often; `recent` in a rule can count deletions in a session.",
  },
  {
    title: "Wrong content",
    why: "A file that is overwritten with nonsense is a write like any other.",
    command: "echo nonsense > src/index.ts",
    verdict: "passes",
    instead: "Commit often, and let tests check the content.",
  },
  {
    title: "Another machine's shell",
    why: "Commands that are typed on a server after logging in are not seen one by one.",
    command: "ssh me@example.com",
    verdict: "passes",
    instead: "Keep the keys of servers out of the agent's reach.",
  },
  {
    title: "Processes by their name",
    why: "A server is often ended by its name, and other processes may have the same name.",
    command: "killall node",
    verdict: "passes",
    instead: "End it by its process id or its port; the paranoid preset asks about every kill.",
  },
  {
    title: "The content of packed archives",
    why: "Guards do not open archives. Self-protection does, and asks about those that it cannot read.",
    command: "tar xf backup.tar.xz -C vendor",
    verdict: "passes",
    instead: "Unpack into a new folder first, and copy from there.",
  },
  {
    title: "Requests that change things",
    why: "An address does not show what a request to it does.",
    command: "curl -X POST https://api.example.com/v1/reset",
    verdict: "passes",
    instead: "A rule with the `network` operator can name the hosts that are allowed.",
  },
  {
    title: "Aliases and functions of the user's own shell",
    why: "The start-up files of the shell are not read.",
    command: "deploy",
    verdict: "passes",
    instead: "Agents' shells usually do not load them; keep it so.",
  },
  {
    title: "A prompt that a program of the agent makes up",
    why: "A prompt of the user ends a step of the data flow. `sluice run` in a tool call is denied, and a prompt that comes from below a tool call does not count; a program that hides its origin (it takes the name of the hook's shell, or writes to the socket of the daemon) cannot be told from the agent. For that reason a value in a prompt lifts only the question about untrusted content: no other question of a guard is answered by what a prompt contains.",
    command: "./bin/reporter",
    verdict: "passes",
    instead: "Contain calls whose effects are not known: in its box, a program does not reach Sluice.",
  },
];
