import type { Guard } from "./guard.ts";
import { by } from "./part.ts";

/** Data in databases stays, where one asks for it. */
export const databases: Guard = {
  title: "Dropping and changing data in databases",
  why: "A dropped table of production is gone, and local ones look the same from here.",
  rules: [
    {
      name: "database-loss",
      strict: "ask",
      paranoid: "deny",
      reason: "Drops, truncates or resets data in a database.",
      tells: (part) => ({
        does: `drops, empties or resets data in a database${by(part)}`,
        ask: "whether that data may go",
      }),
    },
    {
      name: "database",
      paranoid: "ask",
      reason: "Changes data in a database.",
      tells: (part) => ({
        does: `changes data in a database${by(part)}`,
        ask: "whether that data may change",
      }),
    },
  ],
  stops: [
    "psql -c 'DROP TABLE users'",
    "mysql -e 'TRUNCATE logs'",
    "dropdb app",
    "redis-cli FLUSHALL",
    "prisma migrate reset --force",
    "rails db:drop",
    "mongosh --eval 'db.dropDatabase()'",
    "psql -c 'DELETE FROM users'",
  ],
  passes: [
    "psql -c 'select * from users'",
    "mysql -e 'show tables'",
    "redis-cli get x",
    "prisma generate",
    "grep -rn 'DROP TABLE' migrations",
  ],
};
