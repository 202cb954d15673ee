import { ASK, type Guard } from "./guard.ts";
import { lineOf, namesIn, type Part, without } from "./part.ts";

/** Volumes and their data are kept. */
export const containers: Guard = {
  title: "Removing the data of containers",
  why: "A volume often holds the only copy of a development database.",
  rules: [
    {
      name: "container-loss",
      ...ASK,
      reason: "Removes volumes or images with their content.",
      does: (part) => `removes ${lostBy(part)} with everything in them`,
      instead: (part) => lineOf(part, part.program, ...without(part, isVolumes)),
      ask: (part) => `whether ${lostBy(part)} may go`,
    },
  ],
  stops: () => [
    "docker system prune -af --volumes",
    "docker volume rm data",
    "docker compose down -v",
    "docker rm -f $(docker ps -aq)",
  ],
  passes: () => [
    "docker ps -a",
    "docker system prune -f",
    "docker container prune -f",
    "docker compose down",
    "docker compose -p shop-e2e up -d; docker compose -p shop-e2e down -v",
    "docker build -t x .",
    "docker logs x",
  ],
};

function lostBy(part: Part): string {
  return namesIn(part).join(" and ") || "containers, volumes or images";
}

function isVolumes(text: string, before: string | undefined): boolean {
  return /^(?:-v|--volumes|--rmi|-a|--all)/.test(text) || before === "--rmi";
}
