import { type Field, fieldOf } from "../../parse/value.ts";
import { REMOTE_SHELLS } from "./remote-shells.ts";
import { type Inner, optionsOf, type Wrapper } from "./wrapper.ts";

const SSH_VALUED = "-b -c -D -E -e -F -I -i -J -L -l -m -O -o -p -Q -R -S -W -w -B".split(" ");

const ssh: Wrapper = {
  examples: [
    ["ssh -p 22 me@host rm x", "rm x"],
    ["ssh host 'cd /; rm x'", "rm x"],
    ["ssh -o ProxyCommand='rm x' host", "rm x"],
    ["echo 'rm x' | ssh host sh", "rm x"],
  ],
  unwrap: ({ name, args, stdin }) => {
    const options = optionsOf(args, SSH_VALUED);
    const inners = options.values("-o").flatMap(({ text, isKnown }): Inner[] => {
      const [, code] = /^(?:proxycommand|localcommand|knownhostscommand)[= ]([\s\S]+)$/i.exec(text) ?? [];
      return code === undefined ? [] : [{ runs: "shell", text: { text: code, isKnown, isGlob: false }, via: "ssh -o" }];
    });
    const [host, ...words] = options.operands;
    if (host === undefined) return inners;
    // After the host, options may go on; what follows is joined and read by the shell there.
    const { operands } = optionsOf(words, SSH_VALUED);
    if (operands.length > 0) return [...inners, { runs: "shell", text: joined(operands), via: name }];
    return stdin.input.from === "nothing" ? inners : [...inners, { runs: "input", via: name }];
  },
};

const RUN_VALUED =
  "-e -v -w -u -p -l -h -m -c --env --volume --workdir --user --name --publish --network --net --entrypoint --mount --label --hostname --memory --cpus --platform --env-file --add-host --device --cap-add --cap-drop --security-opt --restart --pid --ipc --tmpfs --ulimit --gpus --shm-size --volumes-from --log-driver --log-opt -a -f --file --project-name --profile --index --context -H --host -n --namespace --container --kubeconfig --image --as".split(
    " ",
  );

const containers: Wrapper = {
  examples: [
    ["docker run --rm -v /:/host alpine rm x", "rm x"],
    ["docker exec -it box sh -c 'rm x'", "rm x"],
    ["docker compose exec web rm x", "rm x"],
    ["docker run --entrypoint rm alpine x", "rm x"],
    ["echo 'rm x' | docker exec -i box sh", "rm x"],
  ],
  unwrap: ({ name, args }) => {
    const { operands: words } = optionsOf(args, RUN_VALUED);
    const at = words.findIndex(({ text }) => text === "run" || text === "exec");
    if (at < 0 || at > 2) return [];
    const options = optionsOf(words.slice(at + 1), RUN_VALUED);
    const entry = options.value("--entrypoint");
    const [, ...command] = options.operands;
    const all = entry === undefined ? command : [entry, ...command];
    return all.length === 0 ? [] : [{ runs: "words", words: all, via: `${name} ${words[at]?.text}`, isProgram: true }];
  },
};

const kubectl: Wrapper = {
  examples: [
    ["kubectl exec -n a pod -- rm x", "rm x"],
    ["kubectl run p --image=a --command -- rm x", "rm x"],
    ["kubectl exec pod -c web -- sh -c 'rm x'", "rm x"],
  ],
  unwrap: ({ name, args }) => {
    const at = args.findIndex(({ text }) => text === "--");
    const action = args.find(({ text }) => text === "exec" || text === "run" || text === "debug");
    if (at < 0 || action === undefined || at === args.length - 1) return [];
    return [{ runs: "words", words: args.slice(at + 1), via: `${name} ${action.text}`, isProgram: true }];
  },
};

/** What stands behind `--` is run in there. */
function behindDashes(example: string): Wrapper {
  return {
    examples: [[example, "rm x"]],
    unwrap: ({ name, args }) => {
      const at = args.findIndex(({ text }) => text === "--");
      return at < 0 ? [] : [{ runs: "words", words: args.slice(at + 1), via: name, isProgram: true }];
    },
  };
}

function joined(words: readonly Field[]): Field {
  return { ...fieldOf(words.map(({ text }) => text).join(" ")), isKnown: words.every(({ isKnown }) => isKnown) };
}

/** Programs that run others on another machine or in a container. */
export const ELSEWHERE_WRAPPERS: Readonly<Record<string, Wrapper>> = {
  ssh,
  autossh: { ...ssh, examples: [["autossh host rm x", "rm x"]] },
  mosh: { ...ssh, examples: [["mosh host -- rm x", "rm x"]] },
  docker: containers,
  podman: { ...containers, examples: [["podman run a rm x", "rm x"]] },
  nerdctl: { ...containers, examples: [["nerdctl exec a rm x", "rm x"]] },
  "docker-compose": { ...containers, examples: [["docker-compose run web rm x", "rm x"]] },
  ...REMOTE_SHELLS,
  kubectl,
  oc: { ...kubectl, examples: [["oc exec p -- rm x", "rm x"]] },
  vagrant: {
    examples: [["vagrant ssh -c 'rm x'", "rm x"]],
    unwrap: ({ args }) =>
      optionsOf(args, ["-c", "--command"], true)
        .values("-c", "--command")
        .map((text) => ({ runs: "shell", text, via: "vagrant ssh" })),
  },
  multipass: behindDashes("multipass exec box -- rm x"),
  guix: behindDashes("guix shell coreutils -- rm x"),
  devbox: behindDashes("devbox run -- rm x"),
  distrobox: behindDashes("distrobox enter box -- rm x"),
  devenv: behindDashes("devenv shell -- rm x"),
};
