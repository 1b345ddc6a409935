-- Inference requests that are not video tasks, and which tasks came through the inference endpoint.

create table inference_requests (
  id text primary key,
  account_id text not null references accounts (id),
  key_id text not null,
  model text not null,
  -- The accepted body, as JSON.
  param text not null,
  webhook text,
  state text not null check (state in ('queued', 'succeeded', 'failed')),
  -- Credits set aside for it while it is queued.
  estimate bigint not null check (estimate >= 0),
  results text,
  runtime_ms bigint not null default 0,
  cost_usd double precision not null default 0,
  fail_reason text,
  created_at bigint not null,
  ended_at bigint,
  check ((state = 'succeeded') = (results is not null)),
  check ((state = 'failed') = (fail_reason is not null)),
  check ((state = 'queued') = (ended_at is null)),
  check (state = 'succeeded' or (runtime_ms = 0 and cost_usd = 0))
);

create index inference_requests_open on inference_requests (account_id, key_id) where state = 'queued';

create index inference_requests_ended on inference_requests (ended_at) where ended_at is not null;

-- A task that was asked for as inference is told of as inference.
alter table tasks add column via text not null default 'task' check (via in ('task', 'inference'));

-- A request that was given up takes its idempotency record along.
create index idempotency_by_task on idempotency (task_id);
