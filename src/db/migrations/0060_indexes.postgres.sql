-- runs_from: 0025
-- outside a transaction
-- Indexes on large tables, built while the tables are written. Each is dropped first, because a build that was
-- interrupted leaves one that is never used.
drop index concurrently if exists tasks_open;

create index concurrently tasks_open on tasks (virtual_finish) where completed_at is null;

drop index concurrently if exists tasks_searched;

create index concurrently tasks_searched on tasks (account_id, id, model) include (search_text);

drop index concurrently if exists tasks_by_account;

drop index concurrently if exists task_attempts_by_start;

create index concurrently task_attempts_by_start on task_attempts (started_at);
