// A second set of books, kept by triggers in the cluster's database: which process claimed, released and ended which
// job, and every write to a task or a delivery by a process that did not hold its job. Processes are distinguished by
// the name under which they are connected.
import type { TaskState } from '../../src/contract/tasks/states.ts'
import type { Sql } from '../../src/db/db.ts'
import type { Kill } from './supervised-process.ts'

export type Look = <Row>(sql: string, params?: unknown[]) => Promise<Row[]>

export async function installAudit(look: Look): Promise<void> {
  await look(auditSql)
}

/**
 * A job is held by the process that claimed it last. Its task or delivery may be written by the holder, and by the
 * process that ended the job or took it over in this same transaction. Besides, a server may cancel a task, and make a
 * callback due that nobody has claimed yet.
 */
const auditSql = `
create function audit_now() returns bigint language sql as
  'select (extract(epoch from clock_timestamp()) * 1000)::bigint';
create function audit_who() returns text language sql as $$ select current_setting('application_name') $$;

create table audit_jobs (seq bigserial primary key, at bigint not null default audit_now(), subject text, queue text,
  event text, who text);
create index on audit_jobs (subject);
create index on audit_jobs (who, at);
create table audit_holds (subject text primary key, state text, who text, tx bigint);
create table audit_stale (at bigint not null default audit_now(), subject text, what text, who text, held text);

create function audit_job() returns trigger language plpgsql as $$
declare
  event text;
begin
  if tg_op = 'DELETE' then event := 'ended';
  elsif new.attempt > old.attempt then event := 'claimed';
  elsif new.worker is null and old.worker is not null then event := 'freed';
  else return null;
  end if;
  insert into audit_jobs (subject, queue, event, who) values (old.subject, old.queue, event, audit_who());
  insert into audit_holds values (old.subject, event, audit_who(), txid_current())
    on conflict (subject) do update set state = excluded.state, who = excluded.who, tx = excluded.tx;
  return null;
end $$;
create trigger audit after update or delete on jobs for each row execute function audit_job();

create function audit_write() returns trigger language plpgsql as $$
declare
  hold audit_holds;
begin
  select * into hold from audit_holds where subject = new.id;
  if audit_who() ~ '^(server|worker)-'
    and (hold.who is distinct from audit_who() or (hold.state <> 'claimed' and hold.tx <> txid_current()))
    and not (audit_who() like 'server-%' and to_jsonb(new) ->> 'fail_reason' is not distinct from 'canceled')
    and not (audit_who() like 'server-%' and hold.subject is null and tg_table_name = 'deliveries'
      and new.state = 'pending' and to_jsonb(new) ->> 'attempts' = '0')
  then
    insert into audit_stale (subject, what, who, held)
      values (new.id, tg_table_name || ' ' || new.state, audit_who(), hold::text);
  end if;
  return null;
end $$;
create trigger audit after update on tasks for each row execute function audit_write();

create table audit_moves (seq bigserial primary key, task_id text, state text, attempt integer);
create function audit_move() returns trigger language plpgsql as $$
begin
  if new.state <> old.state then
    insert into audit_moves (task_id, state, attempt) values (new.id, new.state, new.attempt);
  end if;
  return null;
end $$;
create trigger audit_moves after update on tasks for each row execute function audit_move();
create trigger audit after update on deliveries for each row execute function audit_write();
`

interface AuditedMove {
  task_id: string
  state: TaskState
  attempt: number
}

/** Every move of every task, in order. */
export function auditedMoves(sql: Sql): Promise<AuditedMove[]> {
  return sql.all('select task_id, state, attempt from audit_moves order by seq')
}

export function staleWrites(sql: Sql): Promise<object[]> {
  return sql.all('select * from audit_stale limit 20')
}

export interface Rerun {
  job: string
  queue: string
  lostBy: string
  killedAtMs: number
  afterMs: number
  /** What happened to the job, by milliseconds from the kill. */
  story: string[]
}

/**
 * The jobs that killed processes held, and how long each of them waited until another process had it, or it had ended.
 */
export async function rerunsAfter(sql: Sql, kills: Kill[]): Promise<Rerun[]> {
  const reruns: Rerun[] = []
  for (const { label, atMs } of kills) {
    const held = await sql.all<{ subject: string; queue: string; next_at: number | null }>(
      `select subject, queue, (select min(at) from audit_jobs n where n.subject = held.subject and n.seq > held.seq
         and n.event in ('claimed', 'ended')) as next_at
       from audit_jobs held where who = ? and event = 'claimed'
         and not exists (select 1 from audit_jobs o where o.subject = held.subject and o.seq > held.seq and o.who = ?)`,
      [label, label],
    )
    for (const { subject, queue, next_at } of held) {
      const afterMs = next_at === null ? Number.POSITIVE_INFINITY : next_at - atMs
      const story = await storyOf(sql, subject, atMs)
      reruns.push({ job: subject, queue, lostBy: label, killedAtMs: atMs, afterMs, story })
    }
  }
  return reruns
}

async function storyOf(sql: Sql, subject: string, sinceMs: number): Promise<string[]> {
  const events = await sql.all<{ at: number; event: string; who: string }>(
    'select at, event, who from audit_jobs where subject = ? order by seq',
    [subject],
  )
  return events.map(({ at, event, who }) => `${at - sinceMs} ${event} by ${who}`)
}
