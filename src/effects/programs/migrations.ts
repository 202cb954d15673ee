import type { Word } from "../parse/command.ts";
import { anyOperand, valueIs } from "./act.ts";
import { argumentText, type Call, has, joinedText, known, operandText, plays, reveals, value } from "./call.ts";
import type { Programs } from "./program.ts";
import { isOnThisMachine } from "./targets.ts";
import { recipe } from "./task-runners.ts";

/** Programs that migrate the tables of a database to another version, or create them again. */
export const MIGRATIONS = (): Programs => ({
  "prisma knex sequelize sequelize-cli typeorm drizzle-kit alembic flyway liquibase dbmate goose migrate rails artisan django-admin manage.py atlas diesel sqlx flask wp drush console node-pg-migrate db-migrate mikro-orm objection phinx yoyo sqitch tern bytebase strapi symfony":
    {
      is: { "runs-named": "rails flask artisan", "loads-unnamed": "rails flask artisan django-admin manage.py" },
      readOnly:
        "status|migrate status|current|history|heads|show|info|list|inspect|schema inspect|showmigrations|routes|about|validate|version|help",
      options:
        "force accept-data-loss force-reset auto-approve config= schema= env= y all file= url= database= path= down= to= from= app|A= settings= configuration=",
      style: "whole",
      does: (call) => {
        if (call.operands.some(({ text }) => WRITES_TO_MANY().test(text))) plays(call, "message");
        if (/^config get \S*(?:PASSWORD|SECRET|KEY|SALT)/.test(joinedText(call.operands.slice(0, 3)))) reveals(call);
        const own = OTHER_TOOLS[call.report.program];
        if (own === undefined || own.test(operandText(call))) tellMigration(call, call.operands);
      },
      examples: [
        ["prisma migrate reset --force", "database work-loss"],
        ["prisma db push --accept-data-loss", "database work-loss"],
        ["prisma migrate reset --help"],
        ["prisma generate"],
        ["prisma migrate status"],
        ["rails db:drop", "database work-loss"],
        ["rails db:drop db:create db:migrate", "database work-loss recoverable"],
        ["DISABLE_DATABASE_ENVIRONMENT_CHECK=1 rails db:reset", "database work-loss"],
        ["artisan migrate:fresh --seed", "database work-loss recoverable"],
        ["artisan migrate:fresh --seed --force", "database work-loss"],
        ["rails db:migrate", "database"],
        ["rails db:rollback", "database work-loss recoverable"],
        ["manage.py flush --no-input", "database work-loss"],
        ["alembic downgrade base", "database work-loss"],
        ["alembic downgrade -1", "database work-loss recoverable"],
        ["alembic upgrade head", "database"],
        ["artisan migrate:fresh", "database work-loss"],
        ["knex migrate:rollback --all", "database work-loss"],
        ["wp db reset --yes", "database work-loss"],
        ["wp cache flush"],
      ],
    },
  rake: {
    does: [
      (call) => tellMigration(call, call.operands),
      { when: anyOperand(/^(?:release|publish)(?:$|[:[])/), roles: ["publish", "network-out"] },
    ],
    runs: recipe,
    is: { "runs-named": true },
    taskFiles: ["Rakefile"],
    examples: [["rake db:drop", "database work-loss", "unknown: rake db:drop"]],
  },
});

/** Reports what a tool for migrations does to the database. */
export function tellMigration(call: Call, operands: readonly Word[]): void {
  if (/^(?:runner|tinker|shell|r)$/.test(operands[0]?.text ?? "")) {
    tellModels(call);
    return;
  }
  if (operands[0]?.text === "help") return;
  if (call.command.args.at(-1)?.text === "--help" && !call.command.args.some(({ text }) => text === "--")) return;
  if (/^credentials:show$/.test(operands[0]?.text ?? "")) {
    reveals(call);
    return;
  }
  const asked = joinedText(operands.slice(0, 4));
  if (/\b(?:status|list|diff|current|history|version)\b/.test(asked)) return;
  const isLosing = valueIs("file", /(?:^|[/_.-])(?:drop|wipe|truncate|purge)[\w.-]*\.sql$/i)(call);
  const isForced =
    has(call, "accept-data-loss", "force-reset") ||
    (has(call, "force") && /(?:^|\s)(?:push|transfer)(?:\s|$)/.test(asked)) ||
    (has(call, "auto-approve") && /(?:^|\s)(?:apply|clean)(?:\s|$)/.test(asked)) ||
    (has(call, "all") && /(?:^|\s)down(?:\s|$)/.test(asked)) ||
    value(call, "down")?.text === "all";
  if (isLosing || isForced || RESETS().test(asked)) {
    const isKept = !isLosing && !isForced && (isMadeAnew(call, asked) || isLocalBySettings(call));
    plays(call, "database", "work-loss", ...(isKept ? RECOVERABLE : []));
  } else if (STEPS_BACK().test(asked)) plays(call, "database", "work-loss", ...(has(call, "all") ? [] : RECOVERABLE));
  else if (MIGRATES().test(asked)) plays(call, "database");
}

/** Whether a framework refuses to do it in production, unless an argument forces it, and fills the tables again immediately. */
function isMadeAnew({ report, command }: Call, asked: string): boolean {
  if (!/^(?:rails|rake|artisan|php|mix)$/.test(report.program)) return false;
  const isForced = command.args.some(({ text }) => /^(?:--force|DISABLE_DATABASE_ENVIRONMENT_CHECK=.*)$/.test(text));
  if (isForced || command.assignments.DISABLE_DATABASE_ENVIRONMENT_CHECK !== undefined) return false;
  return FILLS_AGAIN().test(asked) || command.args.some(({ text }) => text === "--seed");
}

/** Whether the settings of the project name a database of this machine, and the line does not name another one. */
function isLocalBySettings({ report, command }: Call): boolean {
  if (Object.keys(command.assignments).some((name) => DATABASE_SETTING.test(`${name}=`))) return false;
  const lines = SETTINGS.flatMap((file) => report.textOf(known(file))?.split("\n", MAX_LINES) ?? []);
  const named = lines
    .map((line) => line.replaceAll(/^\s*(?:export\s+)?|["'\s]/g, ""))
    .filter((line) => DATABASE_SETTING.test(line));
  return named.length > 0 && named.every(isOnThisMachine);
}

const SETTINGS = [".env", ".env.local", ".env.development", "prisma/.env"];
const DATABASE_SETTING = /^(?:\w+_)?(?:DATABASE|DB|POSTGRES|PG|MYSQL|MARIADB)_?(?:URL|URI|HOST|DSN)=/;
const MAX_LINES = 500;
const RECOVERABLE = ["recoverable"] as const;
const FILLS_AGAIN = () =>
  /(?:^|\s)(?:db:(?:reset|setup|seed(?::\w+)?|prepare|migrate|schema:load)|ecto\.(?:reset|setup))(?:\s|$)/;

/** Reports code that empties whole tables through a framework. */
function tellModels(call: Call): void {
  const code = argumentText(call);
  if (
    /\.(?:delete_all|destroy_all|truncate)\b|objects\.all\(\)\.delete\(|::(?:truncate|query\(\)->delete)\(/.test(code)
  )
    plays(call, "database", "work-loss");
  if (/\.deliver(?:_now|_later)\b|send_mass_mail\(|Mail::(?:send|to)|Notification::send/.test(code))
    plays(call, "message");
  if (
    /\b(?:config|env)\([^)]{0,100}(?:secret|password|key|token|database)/i.test(code) &&
    /dump|dd\(|print|echo/.test(code)
  )
    reveals(call);
  if (
    /\bupdate\w{0,20}!?\([^)]{0,200}\b(?:role|admin|is_superuser|is_staff)\b[^)]{0,60}(?:admin|true|owner)/i.test(code)
  )
    plays(call, "expose");
}

/** Commands of an application that write to its users. */
const WRITES_TO_MANY = () =>
  /(?:^|[:_-])(?:send|deliver|blast)[:_-](?:\w+[:_-])?(?:newsletters?|e?mails?|mailings?|sms|notifications?|invites|campaigns?)|newsletters?[:_-](?:send|deliver|\w+[:_-]send)/i;
/** Programs that do more than migrations, and the first operand of their migrations. */
const OTHER_TOOLS: Readonly<Record<string, RegExp>> = {
  __proto__: null as never,
  flask: /^db$/,
  wp: /^(?:db|site)$/,
  strapi: /^transfer$/,
  drush: /^sql/,
  console: /^doctrine:/,
  symfony: /^console$/,
};
const RESETS = () =>
  /(?:^|\s)(?:migrate reset|(?:db|ecto)[:.](?:drop|reset|purge|schema:load|truncate_all|migrate:reset)(?::\w+)?|migrate[:.](?:fresh|reset|refresh)|db:wipe|drop|flush|reset_db|sqlflush|downgrade (?:base|zero|0)|migrate \S+ zero|schema:drop|doctrine:(?:database|schema):drop|clean|drop-all|dropAll|undo:all|db:migrate:undo:all|database (?:drop|reset)|db (?:drop|reset|clean|wipe|revert --all)|sql[-:](?:drop|empty)|schema clean|down (?:-all|--all|0)|down-to 0|site empty|reset)(?:\s|$)/i;
/** One version back; the next migration applies it again. */
const STEPS_BACK = () =>
  /(?:^|\s)(?:db:rollback\S*|migrate:(?:rollback|down|undo)|db:migrate:(?:undo|down|redo)|ecto\.rollback|downgrade|down|redo|rollback|undo|revert|migration:revert)(?:\s|$)/i;
const MIGRATES = () =>
  /(?:^|\s)(?:migrate\S*|db:\S+|db (?:push|execute|seed|upgrade|import)|upgrade|up|update|push|migration:run|loaddata|stamp|ecto\.migrate)(?:\s|$)/;
