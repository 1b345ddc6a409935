-- Each run of a task on an engine is a row: whether to retry, and on which engine, is decided from these. Rows are
-- deleted with their task by tasks/store, without a reference that every insert would have to check.

create table task_attempts (
  task_id text not null,
  -- The claim of the job that began it, counted over all of the task's jobs.
  number integer not null,
  engine text not null,
  -- Host and process.
  worker text not null,
  -- The job's claim token.
  claim text not null,
  started_at bigint not null,
  -- Null while it runs.
  ended_at bigint,
  outcome text check (outcome in
    ('succeeded', 'failed', 'unavailable', 'silent', 'worker_crashed', 'worker_stopped', 'task_ended')),
  -- Why it failed, for people.
  reason text,
  primary key (task_id, number),
  check ((ended_at is null) = (outcome is null))
);

-- What the engine read from the prompt, and what it delivered, as JSON.
alter table tasks add column understood text;

alter table tasks add column delivered text;
