-- runs_from: 0025
-- A whole task writes less: its timeline is read from its own times and its attempts instead of rows of task_moves
-- (which stay for older tasks), and no index contains or depends on a column that changes while the task is open. Older
-- programs work without the dropped indexes, with slower creations where many records are kept.

alter table tasks add column queued_at bigint;

drop index tasks_waiting;

-- The index of open tasks is built by a later migration, without locking the table.
-- Only jobs that wait for a time need to be found by it.
drop index jobs_due;

create index jobs_delayed on jobs (queue, run_at) where lease_until is null and run_at > created_at;
