import { ASK, type Guard } from "./guard.ts";
import { by } from "./part.ts";

/** Data in databases is kept; local development data may be removed. */
export const databases: Guard = {
  title: "Dropping and changing data in databases",
  why: "A dropped table of production is gone, and local ones look the same from here.",
  rules: [
    {
      name: "database-loss",
      ...ASK,
      reason: "Drops, truncates or resets data in a database.",
      message: (part) => ({
        does: `drops, empties or resets data in a database${by(part)}`,
        ask: "whether that data may go",
      }),
    },
    {
      name: "database",
      paranoid: "ask",
      reason: "Changes data in a database.",
      message: (part) => ({
        does: `changes data in a database${by(part)}`,
        ask: "whether that data may change",
      }),
    },
  ],
  get stops() {
    return [
      "psql -c 'DROP TABLE users'",
      "mysql -e 'TRUNCATE logs'",
      "dropdb app",
      "redis-cli -h cache.internal FLUSHALL",
      "prisma migrate reset --force",
      "rails db:drop",
      "mongosh --eval 'db.dropDatabase()'",
      "psql -c 'DELETE FROM users'",
      "sqlite3 app.db 'DROP TABLE users'",
      "python manage.py flush --noinput",
      "kubectl exec db-0 -- mysql -e 'DROP DATABASE shop'",
      "curl -X DELETE http://search.internal:9200/_all",
      { tool: "mcp__postgres__query", args: { sql: "DROP TABLE users" } },
      { tool: "mcp__db__execute", args: { query: "DELETE FROM users WHERE 1=1" } },
      { tool: "mcp__mongodb__delete-many", args: { database: "app", collection: "users", filter: {} } },
      { tool: "mcp__redis__command", args: { command: "FLUSHALL" } },
    ];
  },
  get passes() {
    return [
      "psql -c 'select * from users'",
      "mysql -e 'show tables'",
      "redis-cli get x",
      "prisma generate",
      "psql -h localhost -c 'DROP TABLE users'",
      "mysql -uroot -h127.0.0.1 -e 'drop database shop'",
      "dropdb app_test",
      "RAILS_ENV=test rails db:drop",
      "rails db:rollback",
      "alembic downgrade -1",
      "psql -c 'DELETE FROM users WHERE id = 3'",
      "grep -rn 'DROP TABLE' migrations",
    ];
  },
};
