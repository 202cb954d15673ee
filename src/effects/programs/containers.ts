import type { SimpleCommand, Word } from "../parse/command.ts";
import { allValues } from "./act.ts";
import { type Call, has, hasVerb, known, pieceOf, plays, reads, talks, value, values, writes } from "./call.ts";
import { isLocalAddress, isUnchecked } from "./package-sources.ts";
import type { Inner, Invocation, Programs, Use } from "./program.ts";
import { asProgram } from "./runs.ts";
import { isProduction } from "./targets.ts";

const RUN: Use = {
  options:
    "volume|v= mount= privileged name= env|e= env-file= publish|p= workdir|w= user|u= network|net= entrypoint= label|l= hostname|h= memory|m= cpus= gpus= add-host= cap-add= cap-drop= device= pid= ipc= userns= security-opt= platform= restart= volumes-from= tmpfs= shm-size= ulimit= dns= link= log-driver= log-opt= pull= runtime= attach|a= cidfile= interactive|i tty|t detach|d rm init read-only index=",
  style: "first",
  runs: inContainer,
  does: (call) => {
    plays(call, "container");
    const isHost = values(call, "pid", "network", "userns", "ipc").some(
      ({ text }) => text === "host" && !has(call, "publish"),
    );
    if (has(call, "privileged", "device") || values(call, "cap-add").some(({ text }) => /ALL|SYS_/i.test(text)))
      plays(call, "privilege");
    if (isHost && values(call, "pid", "userns").length > 0) plays(call, "privilege");
    for (const word of values(call, "volume", "mount")) mounts(call, word.text, (text) => pieceOf(word, text));
    for (const path of values(call, "env-file")) reads(call, path);
    // A database without a password that every machine can reach.
    const isBare = values(call, "env").some(({ text }) =>
      /HOST_AUTH_METHOD=trust|ALLOW_EMPTY_(?:ROOT_)?PASSWORD=(?:yes|1|true)/i.test(text),
    );
    if (isBare && values(call, "publish").some(({ text }) => text.startsWith("0.0.0.0:"))) plays(call, "expose");
    if (values(call, "restart").some(({ text }) => text !== "no")) plays(call, "persistence");
  },
};

/** The operands after the image or the container, which run inside it. */
function inContainer(run: Invocation): readonly Inner[] {
  const entry = value(run, "entrypoint");
  const [, ...command] = run.operands;
  return asProgram(run.name, entry === undefined ? command : [entry, ...command]);
}

/** Whether a command lists all containers or images. */
function listsContainers({ program, args }: SimpleCommand): boolean {
  const words = args.map(({ text }) => text);
  if (
    !/^(?:docker|podman|nerdctl)$/.test(program?.text ?? "") ||
    !/^(?:ps|images|container|image)$/.test(words[0] ?? "")
  )
    return false;
  return !words.some((text) => /^-\w*f|^--filter|^-\w*[ln]$/.test(text));
}

/** Images without a host come from the public registry. */
function registryOf({ operands }: Call): Word | undefined {
  const [image] = operands;
  if (image === undefined) return undefined;
  const first = image.text.split("/", 1)[0] ?? "";
  return image.text.includes("/") && /[.:]|^localhost$/.test(first) ? pieceOf(image, first) : known("docker.io");
}

/** Whether an image belongs to a registry on this machine, or is written into a file. */
function isOfThisMachine({ text }: Word): boolean {
  return /\//.test(text) && (/^(?:dir|oci|oci-archive|docker-archive):/.test(text) || isLocalAddress(text));
}

/** Verbs that only look something up. */
const LOOKS =
  "ps|images|logs|inspect|info|version|top|stats|port|diff|history|events|search|ls|list|status|pods|container ls|container list|container ps|container logs|container inspect|container top|container stats|container port|container diff|image ls|image list|image inspect|image history|volume ls|volume list|volume inspect|network ls|network list|network inspect|context ls|context list|context show|context inspect|system df|system info|system events|service ls|service ps|service logs|service inspect|stack ls|stack ps|stack services|node ls|node ps|node inspect|secret ls|config ls|config inspect|plugin ls|buildx ls|buildx inspect|manifest inspect|help";

/** Programs that run containers. */
export const CONTAINERS = (): Programs => ({
  "docker podman nerdctl docker-compose podman-compose buildah crictl ctr lima colima finch": {
    readOnly: LOOKS,
    is: { "uses-keys": "docker podman", "holds-services": true, "loads-unnamed": true, "reports-machine": true },
    options:
      "context= host|H= config= log-level|l= file|f= project-name|p= env-file= profile= tls tlscacert= namespace|n= address|a=",
    does: (call) => {
      const { DOCKER_HOST, DOCKER_CONTEXT } = call.command.assignments;
      const engines = [...values(call, "context", "host"), DOCKER_HOST, DOCKER_CONTEXT];
      if (engines.some((engine) => isProduction(engine?.text ?? "")) && !hasVerb(call, LOOKS))
        plays(call, "production");
      if (hasVerb(call, "pull|push|login|image pull|image push|manifest push") && call.command.args.some(isUnchecked))
        plays(call, "unverified");
    },
    verbs: {
      "run|create|container run|container create": RUN,
      "exec|container exec": {
        options: "privileged user|u= env|e= workdir|w= interactive|i tty|t detach|d env-file= index=",
        style: "first",
        runs: inContainer,
        does: (call) => plays(call, "container", ...(has(call, "privileged") ? (["privilege"] as const) : [])),
      },
      "compose config": {
        options: "quiet|q services volumes profiles images hash= no-interpolate format= output|o=",
        unless: "quiet services volumes profiles images hash no-interpolate",
        keys: true,
      },
      compose: {
        options: "file|f= project-name|p= env-file= profile= project-directory=",
        style: "first",
        readOnly: "ps|logs|images|top|ls|port|version|events|stats",
      },
      "compose exec|compose run": {
        options: `${RUN.options} file|f= project-name= profile= env-file= no-deps service-ports use-aliases build`,
        style: "first",
        roles: ["container"],
        runs: inContainer,
      },
      "start|restart|stop|container start|container stop|container restart|compose up|compose start|compose restart|compose stop|up|pause|unpause|update|rename|commit|attach|network create|volume create|swarm init|swarm join|service create|stack deploy":
        ["container"],
      "kill|container kill|compose kill": {
        options: "signal|s=",
        roles: ["container", "kill"],
        does: [{ when: (call) => call.report.isGivenAll(listsContainers), roles: ["work-loss"] }],
      },
      "inspect|container inspect": {
        options: "format|f= type= size|s",
        when: (call) => /\.Env\b/.test(value(call, "format")?.text ?? ""),
        keys: true,
      },
      "network rm|network prune|builder prune|buildx prune": ["container", "delete"],
      "rm|container rm|rmi|image rm|c rm|containers rm|c delete|containers delete|rmp|stopp": {
        options: "volumes|v force|f link|l all|a time|t= no-prune",
        does: (call) => {
          plays(call, "container", "delete");
          if (has(call, "volumes", "all") || call.report.isGivenAll(listsContainers)) plays(call, "work-loss");
        },
      },
      "container prune": ["container", "delete"],
      "image prune|system prune": {
        options: "all|a force|f filter= volumes",
        roles: ["container", "delete"],
        does: [{ when: "all volumes", roles: ["work-loss"] }],
      },
      "volume rm|volume remove": {
        options: "force|f",
        does: (call) => {
          const isTest = call.operands.length > 0 && call.operands.every(({ text }) => TEST_NAME.test(text));
          plays(call, "container", "delete", "work-loss", ...(isTest ? (["recoverable"] as const) : []));
        },
      },
      "delete|volume prune|system reset|machine rm|machine reset|swarm leave|stack rm|service rm|node rm|secret rm|config rm|context rm":
        ["container", "delete", "work-loss"],
      "compose down|down|compose rm": {
        options: "volumes|v rmi= remove-orphans timeout|t= stop|s force|f dry-run",
        dry: "dry-run",
        does: (call) => {
          plays(call, "container");
          if (has(call, "volumes", "rmi")) plays(call, "delete");
          // The stack of a test is created again by the next test.
          const isTest = call.command.args.some(
            ({ text }, at, args) =>
              /(?:^|[-_./])(?:tests?|e2e)\.ya?ml$/.test(text) ||
              (/^(?:-p|--project-name)$/.test(args[at - 1]?.text ?? "") && TEST_NAME.test(text) && !isProduction(text)),
          );
          // `rm` removes only anonymous volumes.
          const isAll = has(call, "volumes") && /(?:^|\s)down$/.test(call.report.verb ?? "");
          if (isAll) plays(call, "work-loss", ...(isTest ? (["recoverable"] as const) : []));
        },
      },
      login: {
        options: "username|u= password|p= password-stdin",
        // Every user of the machine sees the password in the list of processes, and the shell stores it in its history.
        does: (call) => plays(call, "account", "network-out", ...(has(call, "password") ? (["expose"] as const) : [])),
      },
      "pull|image pull|compose pull|search": {
        options: "platform= all-tags|a quiet|q filter|f= limit= disable-content-trust?",
        does: (call) => {
          if (has(call, "disable-content-trust")) plays(call, "unverified");
          talks(call, "in", registryOf(call));
        },
      },
      "compose push": { options: "quiet|q dry-run", dry: "dry-run", roles: ["publish", "network-out"] },
      "push|image push|manifest push": {
        options: "platform= all-tags|a quiet|q",
        does: (call) => {
          if (call.operands.length === 0 || !call.operands.every(isOfThisMachine)) plays(call, "publish");
          talks(call, "out", registryOf(call));
        },
      },
      logout: ["account", "network-out"],
      "build|buildx build|image build|compose build": {
        options:
          "tag|t= file|f= build-arg= target= platform= secret= output|o= label= network= cache-from= push progress=",
        does: (call) => {
          plays(call, "container");
          const isPublic = !has(call, "tag") || !values(call, "tag").every(isOfThisMachine);
          if (has(call, "push") && isPublic) plays(call, "publish", "network-out");
          for (const folder of call.operands) reads(call, folder, { isTree: true });
          for (const output of values(call, "output")) {
            const [, type = "local"] = /\btype=(\w+)/.exec(output.text) ?? [];
            const [, dest = output.text.includes("=") ? "-" : output.text] = /\bdest=([^,]+)/.exec(output.text) ?? [];
            const isTree = type === "local";
            if (dest !== "-") writes(call, pieceOf(output, dest), isTree ? { isTree, by: "unpack" } : {});
          }
        },
      },
      "cp|container cp": {
        does: (call) => {
          const [from, to] = call.operands;
          if (from !== undefined && !/^[\w.-]+:/.test(from.text)) reads(call, from, { isTree: true });
          if (to !== undefined && !/^[\w.-]+:/.test(to.text)) writes(call, to, { isTree: true });
        },
      },
      "save|export|container export|image save": { options: "output|o=", writes: allValues("output") },
    },
    examples: [
      ["docker build -o out .", "container", "reads . tree", "writes out tree"],
      ["docker buildx build --output type=tar,dest=out.tar .", "container", "reads . tree", "writes out.tar"],
      ["docker build --output type=docker .", "container", "reads . tree"],
      ["docker ps -a"],
      ["docker run --rm -it alpine sh", "container"],
      ["docker run -v /:/host alpine", "container privilege", "reads / tree", "writes / tree"],
      ["docker run -v ./src:/src:ro alpine", "container", "reads src tree"],
      ["docker run --privileged alpine", "container privilege"],
      ["docker exec --privileged web ls", "container privilege"],
      ["docker exec web ls", "container"],
      ["docker rm -f x", "container delete"],
      ["docker system prune -af --volumes", "container delete work-loss"],
      ["docker volume rm app_test_data", "container delete work-loss recoverable"],
      ["docker volume rm data", "container delete work-loss"],
      ["docker compose down -v", "container delete work-loss"],
      ["docker compose -p shop-e2e down -v", "container delete work-loss recoverable"],
      ["docker compose -p shop down -v", "container delete work-loss"],
      ["docker compose -p prod-e2e down -v", "container delete work-loss"],
      ["docker compose down -v --dry-run"],
      ["docker-compose down", "container"],
      ["docker compose -f a.yml down --volumes", "container delete work-loss"],
      ["docker push me/x", "publish network-out", "sends to docker.io"],
      ["docker push localhost:5000/x", "network-out", "sends to localhost"],
      ["docker push localhost.example.com/x", "publish network-out", "sends to localhost.example.com"],
      ["podman push localhost/x quay.io/me/x", "publish network-out", "sends to localhost"],
      ["docker compose push --dry-run"],
      ["docker pull ghcr.io/me/x:1", "network-in", "fetches from ghcr.io"],
      ["docker compose pull", "network-in", "fetches from ?"],
      ["docker rm -f $(docker ps -aq)", "container delete work-loss"],
      ["docker rm $(docker ps -aqf name=x)", "container delete"],
      ["docker rm -v db", "container delete work-loss"],
      ["docker run --rm -v /:/host alpine rm x", "runs rm x"],
      ["docker exec -it box sh -c 'rm x'", "runs rm x"],
      ["docker compose exec web rm x", "runs rm x"],
      ["docker compose -f a.yml run --rm web rm x", "runs rm x"],
      ["docker run --entrypoint rm alpine x", "runs rm x"],
      ["echo 'rm x' | docker exec -i box sh", "runs rm x"],
      ["podman run a rm x", "runs rm x"],
      ["docker-compose run web rm x", "runs rm x"],
    ],
  },
});

/** Names of volumes and projects that every test fills again. */
const TEST_NAME = /(?:^|[-_.])(?:tests?|e2e|ci|tmp)(?:$|[-_.])/i;

/** Reports a folder of the machine that a container can read, and write unless it is read-only. */
function mounts(call: Call, text: string, word: (text: string) => ReturnType<typeof pieceOf>): void {
  const source =
    /(?:^|,)(?:source|src)=([^,]+)/.exec(text)?.[1] ?? (text.includes("=") ? "" : (text.split(":", 1)[0] ?? ""));
  if (!/^[./~]/.test(source)) return;
  reads(call, word(source), { isTree: true });
  if (!/:ro\b|readonly|,ro\b/.test(text)) writes(call, word(source), { isTree: true });
  if (/^\/$|docker\.sock$|^\/(?:etc|root|var|proc|sys|dev|boot)\/?$/.test(source)) plays(call, "privilege");
}
