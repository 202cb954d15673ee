import type { Guard } from "./guard.ts";

/** Volumes and what lies in them stay. */
export const containers: Guard = {
  title: "Removing the data of containers",
  why: "A volume often holds the only copy of a development database.",
  rules: [
    {
      value: "container-loss",
      standard: "ask",
      strict: "ask",
      paranoid: "deny",
      reason: "This removes volumes or images with what they hold.",
      remedy: "docker compose stop",
    },
  ],
  stops: [
    "docker system prune -af --volumes",
    "docker volume rm data",
    "docker compose down -v",
    "docker rm -f $(docker ps -aq)",
  ],
  passes: ["docker ps -a", "docker compose down", "docker build -t x .", "docker logs x"],
};
