-- Tasks, their timeline, the job queue and idempotent creation.

create table tasks (
  id text primary key,
  account_id text not null references accounts (id),
  key_id text not null,
  -- The task that this one extends.
  parent_id text,
  model text not null,
  engine text not null,
  state text not null check (state in ('wait', 'queueing', 'generating', 'success', 'fail')),
  -- The accepted body, as JSON; what it asked for, in our own words (VideoOrder); what was ignored in it.
  param text not null,
  video_order text not null,
  ignored_fields text not null,
  call_back_url text,
  price bigint not null check (price >= 0),
  virtual_start double precision not null,
  virtual_finish double precision not null,
  progress integer not null default 0 check (progress between 0 and 100),
  -- Counts the times an engine was given the task; a late result of an earlier one is dropped by it.
  attempt integer not null default 0,
  plan text,
  handle text,
  video text,
  fail_code text,
  fail_reason text,
  fail_msg text,
  created_at bigint not null,
  updated_at bigint not null,
  state_at bigint not null,
  completed_at bigint,
  expires_at bigint,
  check ((state = 'fail') = (fail_code is not null)),
  check ((state = 'success') = (video is not null)),
  check ((state in ('success', 'fail')) = (completed_at is not null))
);

create index tasks_by_account on tasks (account_id, id);

create index tasks_by_key on tasks (key_id, id);

create index tasks_waiting on tasks (virtual_finish) where state in ('wait', 'queueing');

create index tasks_completed on tasks (completed_at) where completed_at is not null;

create table task_moves (
  id text primary key,
  task_id text not null references tasks (id) on delete cascade,
  at bigint not null,
  state text not null,
  attempt integer not null,
  note text
);

create index task_moves_by_task on task_moves (task_id, id);

create table jobs (
  id text primary key,
  queue text not null,
  -- What the job is about: a task's id, a delivery's id.
  subject text not null,
  -- Whom it is for, so that a worker can bound one account's share.
  group_name text not null,
  order_no double precision not null,
  run_at bigint not null,
  -- Fence: goes up with every claim, so that a stale worker cannot settle a newer one's job.
  attempt integer not null default 0,
  -- Claims that ended badly: the worker died, hung or threw.
  failures integer not null default 0,
  -- Null while the job waits.
  lease_until bigint,
  created_at bigint not null
);

create index jobs_waiting on jobs (queue, order_no, id) where lease_until is null;

create index jobs_due on jobs (queue, run_at) where lease_until is null;

create index jobs_leased on jobs (lease_until) where lease_until is not null;

create index jobs_by_subject on jobs (subject);

create table idempotency (
  -- A hash of key, route and the client's own idempotency key.
  id text primary key,
  body_hash text not null,
  task_id text not null,
  created_at bigint not null
);

create index idempotency_by_age on idempotency (created_at);
