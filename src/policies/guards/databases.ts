import type { Guard } from "./guard.ts";

/** Data in databases stays, where one asks for it. */
export const databases: Guard = {
  title: "Dropping and changing data in databases",
  why: "A dropped table of production is gone, and local ones look the same from here.",
  rules: [
    {
      value: "database-loss",
      strict: "ask",
      paranoid: "deny",
      reason: "This drops, truncates or resets data in a database.",
      remedy: "pg_dump app > /tmp/app.sql",
    },
    { value: "database", paranoid: "ask", reason: "This changes data in a database.", remedy: "psql -c 'select 1'" },
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
