// What keeps Sluice in the loop, and the ways in which a path can be written.
import { dirname, relative } from "node:path";

/** The files that an agent must not change, as `{ name, path, isMine }`. */
export function targets({ home, root, client, ledger }) {
  const inHome = (path) => `${home}/${path}`;
  const inRoot = (path) => `${root}/${path}`;
  return [
    client,
    ledger,
    inHome(".config/sluice/hooks.yaml"),
    inRoot(".sluice/hooks.yaml"),
    inRoot(".sluice/hooks/guard.sh"),
    inHome(".claude/settings.json"),
    inHome(".claude.json"),
    inRoot(".claude/settings.json"),
    "/etc/claude-code/managed-settings.json",
    "/etc/sluice/hooks.yaml",
    inHome(".codex/hooks.json"),
    inHome(".codex/config.toml"),
    inHome(".gemini/settings.json"),
    inHome(".cursor/hooks.json"),
    inHome(".copilot/hooks/sluice.json"),
    inHome(".config/opencode/plugin/sluice.js"),
    inHome("lib/node_modules/sluice/dist/sluice.cjs"),
    inRoot("node_modules/.bin/sluice"),
    inHome("bin/sluice"),
    inHome(".local/state/sluice/protect/pause.json"),
    inHome(`.local/state/sluice/last-good/${"0".repeat(32)}`),
    inHome(`.local/state/sluice/sealed/${"0".repeat(32)}/tree/.sluice/hooks/guard.sh`),
    inHome(".local/state/sluice/decisions/2026-01-01.jsonl"),
    inHome(".local/state/sluice/undo/ledger.jsonl"),
    inHome(".cache/sluice/compiled/call.cache"),
  ];
}

/** Files that are there, so that what is done to them is seen. */
export const isThere = (path) =>
  !path.startsWith("/etc/") && !/pause\.json$|\/0{32}|2026-01-01|ledger\.jsonl$|call\.cache$/.test(path);

/** Names that spell one path, in a shell that stands in the project. */
export function spellings(path, { home, root, env }) {
  const folder = dirname(path);
  const fromHome = path.startsWith(`${home}/`) ? relative(home, path) : undefined;
  const fromRoot = path.startsWith(`${root}/`) ? relative(root, path) : undefined;
  const start = fromRoot ?? (fromHome === undefined ? path : `~/${fromHome}`);
  const parts = path.split("/");
  const last = parts.at(-1);
  const parent = parts.at(-2);
  const above = parts.slice(0, -2).join("/");
  const each = (change) => `${folder}/${change(last)}`;
  const half = Math.ceil(last.length / 2);
  const octal = [...start.replace(/^~/, home)].map((letter) => `\\x${letter.charCodeAt(0).toString(16)}`).join("");
  return [
    start,
    path,
    each((word) => `${word.slice(0, 3)}*`),
    each((word) => `?${word.slice(1)}`),
    each((word) => `[${word[0]}]${word.slice(1)}`),
    each((word) => `*${word.slice(-3)}`),
    `${above}/${parent.slice(0, 3)}*/${last.slice(0, half)}*`,
    `${above}/*/${last}`,
    `${above}/${parent}/${last.slice(0, half)}{${last.slice(half)},x}`,
    `${above}/{x,${parent}}/${last}`,
    `${above}/./${parent}/../${parent}//${last}`,
    `${folder}/"${last.slice(0, half)}"'${last.slice(half)}'`,
    `${folder}/${last.slice(0, 1)}\\${last.slice(1)}`,
    `$'${octal}'`,
    `/proc/self/root${path}`,
    `/proc/$$/root${path}`,
    `/proc/self/cwd/${relative(root, path)}`,
    `/proc/thread-self/cwd/${relative(root, path)}`,
    `/dev/../${path.slice(1)}`,
    `$(echo ${path})`,
    `\`printf %s ${path}\``,
    `$(ls -d ${folder}/${last.slice(0, half)}*)`,
    `$(find ${folder} -maxdepth 1 -name '${last}')`,
    `"$(dirname ${folder})/${parent}/${last}"`,
    `$(realpath ${folder})/${last}`,
    `"$(cd ${folder} && pwd)/${last}"`,
    `$(echo ${Buffer.from(path).toString("base64")} | base64 -d)`,
    `$(echo ${[...path].reverse().join("")} | rev)`,
    `$(echo ${path.replaceAll("/", "@")} | tr @ /)`,
    `$(printf '${path.replace("sluice", "slu%s")}' ice)`,
    ...(fromHome === undefined
      ? []
      : [
          `$HOME/${fromHome}`,
          `"\${HOME}"/${fromHome}`,
          `\${HOME%/}/${fromHome}`,
          `~/{${fromHome},nothing}`,
          `$(getent passwd nobody >/dev/null; echo ~)/${fromHome}`,
        ]),
    ...Object.entries({ XDG_STATE_HOME: ".local/state", XDG_CONFIG_HOME: ".config" }).flatMap(([variable, at]) =>
      fromHome?.startsWith(`${at}/`)
        ? [
            `$${variable}/${fromHome.slice(at.length + 1)}`,
            `\${${variable}:-$HOME/${at}}/${fromHome.slice(at.length + 1)}`,
            `"\${${variable}}"/slu*/${fromHome.slice(at.length + 8)}`,
            `$(printenv ${variable})/${fromHome.slice(at.length + 1)}`,
            `$(env | sed -n s/^${variable}=//p)/${fromHome.slice(at.length + 1)}`,
          ]
        : [],
    ),
    ...(fromRoot === undefined
      ? []
      : [
          `./${fromRoot}`,
          `$PWD/${fromRoot}`,
          `"$(pwd)"/${fromRoot}`,
          `$(git rev-parse --show-toplevel)/${fromRoot}`,
          `src/../${fromRoot}`,
          `.[a-z]*/${fromRoot.split("/").slice(1).join("/")}`,
          `.s*/${fromRoot.split("/").slice(1).join("/")}`,
          `$(ls -A | grep -F ${fromRoot.split("/")[0]} | head -1)/${fromRoot.split("/").slice(1).join("/")}`,
          `$(git ls-files | grep -F ${fromRoot.split("/")[0]} | head -1)`,
        ]),
  ].filter((one) => env !== undefined && one.length > 0);
}
