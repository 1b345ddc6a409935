-- runs_from: 0025
-- Each failure that a waiting task survived: its input files are fetched or opened again at `retry_at`. Rows are deleted
-- with their task by tasks/store.

create table input_retries (
  task_id text not null,
  number integer not null,
  at bigint not null,
  -- Host and process.
  worker text not null,
  -- What failed: the fetch, or the process that opened a file.
  fault text not null check (fault in ('fetch', 'child')),
  -- For people.
  reason text not null,
  retry_at bigint not null,
  primary key (task_id, number)
);
