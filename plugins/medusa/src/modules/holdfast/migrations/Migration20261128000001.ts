import { Migration } from "@medusajs/framework/mikro-orm/migrations";

const TIMES = `"created_at" timestamptz not null default now(),
  "updated_at" timestamptz not null default now(),
  "deleted_at" timestamptz null`;

export class Migration20261128000001 extends Migration {
  override async up(): Promise<void> {
    this.addSql(`create table if not exists "holdfast_attempt" (
  "id" text not null primary key,
  "order_id" text not null,
  "number" integer not null check ("number" > 0),
  "intent" text null,
  ${TIMES});`);
    this.addSql(
      `create unique index if not exists "IDX_holdfast_attempt_order_id_number_unique" on "holdfast_attempt" ("order_id", "number") where deleted_at is null;`,
    );
    this.addSql(`create table if not exists "holdfast_event" (
  "id" text not null primary key,
  "order_id" text not null,
  "body" jsonb not null,
  "handled_at" timestamptz null,
  ${TIMES});`);
    this.addSql(`create index if not exists "IDX_holdfast_event_order_id" on "holdfast_event" ("order_id");`);
    this.addSql(
      `create index if not exists "IDX_holdfast_event_unhandled" on "holdfast_event" ("order_id") where handled_at is null;`,
    );
    this.addSql(`create table if not exists "holdfast_settings" (
  "id" text not null primary key,
  "recipient" text null,
  "protection_period" text not null default 'sevenDays',
  "tokens" jsonb not null default '{}',
  "cursor" text not null default '0',
  ${TIMES});`);
    this.addSql(`insert into "holdfast_settings" ("id") values ('settings') on conflict do nothing;`);
  }

  override async down(): Promise<void> {
    for (const table of ["holdfast_attempt", "holdfast_event", "holdfast_settings"])
      this.addSql(`drop table if exists "${table}" cascade;`);
  }
}
