import type { Field } from "../../parse/value.ts";
import { type Inner, optionsOf, type Wrapper } from "./wrapper.ts";

interface Prefix {
  /** Options that take a value of their own. */
  readonly valued?: string;
  /** Words of its own between the options and the command. */
  readonly skips?: number;
  /** Options with values that may follow those words. */
  readonly late?: string;
  /** The option that holds a whole command line. */
  readonly text?: string;
  readonly example: string;
}

/** Programs that run the rest of their words, after options and perhaps some words of their own. */
const PREFIXES: Readonly<Record<string, Prefix>> = {
  nohup: { example: "nohup rm x" },
  nice: { valued: "-n --adjustment", example: "nice -n 5 rm x" },
  ionice: { valued: "-c -n -p -P -u --class --classdata", example: "ionice -c3 rm x" },
  choom: { valued: "-n -p --adjust", example: "choom -n 0 -- rm x" },
  chrt: { valued: "-T -P -D", skips: 1, example: "chrt -f 10 rm x" },
  taskset: { skips: 1, example: "taskset 0x1 rm x" },
  setsid: { example: "setsid -w rm x" },
  setarch: { skips: 1, example: "setarch x86_64 rm x" },
  linux32: { example: "linux32 rm x" },
  linux64: { example: "linux64 rm x" },
  stdbuf: { valued: "-i -o -e --input --output --error", example: "stdbuf -o0 rm x" },
  timeout: { valued: "-s -k --signal --kill-after", skips: 1, example: "timeout -k 1 5 rm x" },
  gtimeout: { valued: "-s -k", skips: 1, example: "gtimeout 5 rm x" },
  time: { valued: "-f -o --format --output", example: "/usr/bin/time -f %e rm x" },
  flock: { valued: "-w -E --timeout --wait", skips: 1, text: "-c", example: "flock /tmp/lock rm x" },
  "flatpak-spawn": { example: "flatpak-spawn --host rm x" },
  "host-spawn": { example: "host-spawn rm x" },
  "distrobox-host-exec": { example: "distrobox-host-exec rm x" },
  unshare: { valued: "-S -G -R -w --root --wd --setuid --setgid", example: "unshare -r rm x" },
  nsenter: { valued: "-t -S -G --target --setuid --setgid", example: "nsenter -t 1 -m rm x" },
  chroot: { skips: 1, example: "chroot / rm x" },
  proot: { valued: "-r -R -S -b -m -w -q -0", example: "proot -r / rm x" },
  fakeroot: { valued: "-l -s -i -b", example: "fakeroot -- rm x" },
  fakechroot: { example: "fakechroot rm x" },
  strace: { valued: "-e -o -p -s -P -u -E -a -O -S -b -X -I", example: "strace -f -o log rm x" },
  ltrace: { valued: "-e -o -p -s -u -a -n -l -x", example: "ltrace -o log rm x" },
  perf: { valued: "-e -o -F", skips: 1, example: "perf stat rm x" },
  valgrind: { example: "valgrind --quiet rm x" },
  catchsegv: { example: "catchsegv rm x" },
  watch: { valued: "-n -q --interval", example: "watch -n 1 rm x" },
  unbuffer: { example: "unbuffer rm x" },
  chronic: { example: "chronic rm x" },
  numactl: { valued: "-m -N -C -p", example: "numactl -N 0 rm x" },
  cgexec: { valued: "-g", example: "cgexec -g cpu:a rm x" },
  "systemd-run": { valued: "-p -u -M -H --unit --property", example: "systemd-run --user rm x" },
  "systemd-inhibit": { example: "systemd-inhibit --what=sleep rm x" },
  caffeinate: { valued: "-t -w", example: "caffeinate -i rm x" },
  prlimit: { valued: "-p -o", example: "prlimit --nofile=10 rm x" },
  setpriv: { valued: "--reuid --regid", example: "setpriv --reuid=1 rm x" },
  capsh: { example: "capsh -- -c 'rm x'" },
  torsocks: { example: "torsocks rm x" },
  proxychains: { valued: "-f", example: "proxychains -q rm x" },
  proxychains4: { valued: "-f", example: "proxychains4 rm x" },
  "dbus-run-session": { example: "dbus-run-session -- rm x" },
  "dbus-launch": { example: "dbus-launch rm x" },
  "qemu-x86_64": { valued: "-L -E -U -cpu", example: "qemu-x86_64 rm x" },
  "qemu-aarch64": { valued: "-L -E -U -cpu", example: "qemu-aarch64 rm x" },
  box64: { example: "box64 rm x" },
  nu: { valued: "--config --env-config", text: "-c", example: "nu -c 'rm x'" },
  xonsh: { text: "-c", example: "xonsh -c 'rm x'" },
  elvish: { text: "-c", example: "elvish -c 'rm x'" },
  osh: { text: "-c", example: "osh -c 'rm x'" },
  concurrently: {
    valued: "-n -c -p -m -i --names --prefix-colors --prefix --max-processes",
    text: "operand",
    example: "concurrently -k 'rm x'",
  },
  chpst: { valued: "-u -U -b -e -d -o -n -l -L -m -p -f -c -t", example: "chpst -u me rm x" },
  setuidgid: { skips: 1, example: "setuidgid me rm x" },
  "s6-setuidgid": { skips: 1, example: "s6-setuidgid me rm x" },
  "xvfb-run": { valued: "-n -s -e -f -p -w", example: "xvfb-run -a rm x" },
  entr: { example: "ls | entr -c rm x" },
  hyperfine: { valued: "-w -r -p -n -m -M", text: "operand", example: "hyperfine -w 1 'rm x'" },
  firejail: { example: "firejail --quiet rm x" },
  dotenv: { valued: "-e -f", example: "dotenv -e .env -- rm x" },
  "cross-env": { example: "cross-env A=1 rm x" },
  wine: { example: "wine rm x" },
  wsl: { valued: "-d -u --distribution --user --cd", example: "wsl -d Ubuntu rm x" },
  arch: { example: "arch -x86_64 rm x" },
  faketime: { skips: 1, example: "faketime '1 day ago' rm x" },
  shx: { example: "shx rm x" },
  watchexec: { valued: "-w -e -i -d -s -f --watch --exts --ignore", example: "watchexec -e ts -- rm x" },
  envchain: { skips: 1, example: "envchain aws rm x" },
  ccache: { example: "ccache rm x" },
  distcc: { example: "distcc rm x" },
  daemonize: { valued: "-c -e -o -p -l -u", example: "daemonize rm x" },
};

function unwrapPrefix(name: string, { valued = "", skips = 0, text, late = "", example }: Prefix): Wrapper {
  return {
    examples: [[example, "rm x"]],
    unwrap: ({ args }) => {
      const options = optionsOf(args, [...valued.split(" "), ...(text?.startsWith("-") ? [text] : [])]);
      const line = text === undefined ? undefined : options.value(text);
      if (line !== undefined) return [{ runs: "shell", text: line, via: name }];
      let words: readonly Field[] = options.operands.slice(skips);
      if (words[0]?.text === "--") words = words.slice(1);
      const verbs = verbsOf(name);
      if (skips > 0 && verbs !== undefined && !verbs.includes(options.operands[0]?.text ?? "")) return [];
      if (verbs !== undefined) words = optionsOf(words, late.split(" ")).operands;
      const dashed = text === undefined ? -1 : words.findIndex((word) => word.text === text);
      const code = dashed === 0 ? words[1] : undefined;
      if (code !== undefined) return [{ runs: "shell", text: code, via: name }];
      if (text === "operand") return words.map((word): Inner => ({ runs: "shell", text: word, via: name }));
      while (name === "cross-env" && /^\w+=/.test(words[0]?.text ?? "")) words = words.slice(1);
      if (name === "capsh")
        return words[0]?.text === "-c" && words[1] ? [{ runs: "shell", text: words[1], via: name }] : [];
      // `watch` hands its words to a shell.
      if (name === "watch" && words.length === 1 && words[0]) return [{ runs: "shell", text: words[0], via: name }];
      return words.length === 0 ? [] : [{ runs: "words", words, via: name, isProgram: true }];
    },
  };
}

/** Programs that put their surroundings around another one: only these first words make them run the rest. */
const SURROUNDING: Readonly<Record<string, Prefix & { readonly verbs: readonly string[] }>> = {
  poetry: { verbs: ["run"], example: "poetry run rm x" },
  pdm: { verbs: ["run"], example: "pdm run rm x" },
  hatch: { verbs: ["run"], example: "hatch run rm x" },
  rye: { verbs: ["run"], example: "rye run rm x" },
  pixi: { verbs: ["run"], late: "-e --environment --manifest-path", example: "pixi run rm x" },
  uv: { verbs: ["run"], late: "--with --python -p --extra --group --env-file", example: "uv run --with a rm x" },
  pipenv: { verbs: ["run"], example: "pipenv run rm x" },
  pipx: { verbs: ["run"], late: "--spec --python --pip-args", example: "pipx run --spec a rm x" },
  conda: { verbs: ["run"], late: "-n -p --name --prefix --cwd", example: "conda run -n a rm x" },
  mamba: { verbs: ["run"], late: "-n -p --name --prefix --cwd", example: "mamba run -n a rm x" },
  micromamba: { verbs: ["run"], late: "-n -p --name --prefix --cwd", example: "micromamba run -n a rm x" },
  direnv: { verbs: ["exec"], skips: 2, example: "direnv exec . rm x" },
  mise: { verbs: ["exec", "x"], example: "mise exec -- rm x" },
  asdf: { verbs: ["exec"], example: "asdf exec rm x" },
  pyenv: { verbs: ["exec"], example: "pyenv exec rm x" },
  rbenv: { verbs: ["exec"], example: "rbenv exec rm x" },
  nodenv: { verbs: ["exec"], example: "nodenv exec rm x" },
  nvm: { verbs: ["exec", "run"], skips: 2, example: "nvm exec 20 rm x" },
  fnm: { verbs: ["exec"], late: "--using", example: "fnm exec --using 20 rm x" },
  volta: { verbs: ["run"], late: "--node --npm", example: "volta run --node 20 rm x" },
  rustup: { verbs: ["run"], skips: 2, example: "rustup run nightly rm x" },
  doppler: { verbs: ["run"], late: "-p -c --project --config", example: "doppler run -- rm x" },
  infisical: { verbs: ["run"], late: "--env --path --projectId", example: "infisical run --env dev -- rm x" },
  teller: { verbs: ["run"], example: "teller run -- rm x" },
  dotenvx: { verbs: ["run"], late: "-f -e", example: "dotenvx run -f .env -- rm x" },
  op: { verbs: ["run"], late: "--env-file --account", example: "op run --env-file .env -- rm x" },
  "aws-vault": { verbs: ["exec"], skips: 2, late: "-d --duration", example: "aws-vault exec a -- rm x" },
  chamber: { verbs: ["exec"], skips: 2, example: "chamber exec a -- rm x" },
  lxc: { verbs: ["exec"], skips: 2, late: "--env --user --cwd --mode", example: "lxc exec box -- rm x" },
  incus: { verbs: ["exec"], skips: 2, late: "--env --user --cwd --mode", example: "incus exec box -- rm x" },
  toolbox: { verbs: ["run"], late: "-c --container -d -r", example: "toolbox run -c a rm x" },
  bundle: { verbs: ["exec"], example: "bundle exec rm x" },
};

/** The first words that make a program run the rest, where only some do. */
function verbsOf(name: string): readonly string[] | undefined {
  return name === "perf" ? PERF_VERBS : SURROUNDING[name]?.verbs;
}

const PERF_VERBS = ["stat", "record", "trace"];

/** One row per program that puts itself in front of another. */
export const PREFIX_WRAPPERS: Readonly<Record<string, Wrapper>> = wrappers();

function wrappers(): Record<string, Wrapper> {
  const rows: Record<string, Wrapper> = {};
  for (const name in PREFIXES) rows[name] = unwrapPrefix(name, PREFIXES[name] as Prefix);
  for (const name in SURROUNDING) rows[name] = unwrapPrefix(name, { skips: 1, ...(SURROUNDING[name] as Prefix) });
  return rows;
}
