-- The schema of a new database. Later migrations are numbered files beside this one.
--
-- Times are epoch milliseconds, booleans are 0 and 1, JSON is text. Ids sort by the time of their creation. A `subject` is the
-- id of what a row is about, where that may be of several kinds. Statements end with a semicolon before an empty line.
--
-- `fillfactor` leaves room for changed rows in their own page, so that a change writes no index (HOT). Rows of tasks grow
-- by half while they run, and all tasks of a page change in the same transaction. Vacuuming follows the number of changes
-- instead of a share of the table, which is large (tasks) or nearly empty (jobs).

-- accounts/

-- Who owns tasks, keys and credits. Created and credited by operators. Admission takes holds from the balance, the end of a
-- task settles or releases them. A deleted account keeps its row without a name and secrets, because the ledger refers to it.
create table accounts (
  id text primary key,
  name text not null unique,
  -- The sum of the account's ledger entries, kept here so that admission can guard it with a CHECK.
  balance bigint not null default 0 check (balance >= 0),
  -- Tasks that have not ended.
  open_tasks bigint not null default 0 check (open_tasks >= 0),
  -- Virtual finish time of the account's last admitted task (fair order).
  virtual_finish double precision not null default 0,
  -- Signs callbacks; empty once the account is deleted. The one before the last rotation also signs until then.
  webhook_secret text not null,
  old_webhook_secret text,
  old_webhook_secret_until bigint,
  created_at bigint not null,
  check ((old_webhook_secret is null) = (old_webhook_secret_until is null))
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);

-- The latest virtual finish time, from which an admission counts while no task waits.
create index accounts_by_virtual_finish on accounts (virtual_finish);

-- API keys, and sub-keys of keys. Changed by their owners and operators; admission counts credits, each request of a limited
-- key counts requests, and `last_used_at` is written at most once a minute.
create table keys (
  id text primary key,
  account_id text not null references accounts (id),
  parent_id text references keys (id),
  name text not null,
  -- SHA-256 of the secret.
  hash text not null unique,
  -- The secret before the last rotation is accepted until then.
  old_hash text,
  old_hash_until bigint,
  -- The first characters, so that a person can tell keys apart.
  hint text not null,
  operator integer not null default 0 check (operator in (0, 1)),
  -- Separated by commas. Null: whatever the key's kind may do.
  scopes text,
  -- Networks in CIDR notation, separated by commas. Null: every address.
  addresses text,
  rate text,
  credit_limit bigint check (credit_limit >= 0),
  credit_used bigint not null default 0 check (credit_used >= 0),
  request_limit bigint check (request_limit >= 0),
  request_per text check (request_per in ('hour', 'day', 'total')),
  -- The hour or day of which `request_used` is the count.
  request_window_started_at bigint not null default 0,
  request_used bigint not null default 0 check (request_used >= 0),
  -- Signs the callbacks of this key. Null: the account's secret does, or for a sub-key one derived from it.
  webhook_secret text,
  old_webhook_secret text,
  old_webhook_secret_until bigint,
  created_at bigint not null,
  expires_at bigint,
  last_used_at bigint,
  revoked_at bigint,
  check (operator = 0 or parent_id is null),
  check (credit_limit is null or credit_used <= credit_limit),
  check ((request_limit is null) = (request_per is null)),
  check (request_limit is null or request_used <= request_limit),
  check ((old_hash is null) = (old_hash_until is null)),
  check ((old_webhook_secret is null) = (old_webhook_secret_until is null))
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);

-- Authentication while the secret before a rotation is still accepted.
create unique index keys_by_old_hash on keys (old_hash);

-- The pages of an account's keys, in the order of their ids.
create index keys_of_account on keys (account_id, id);

-- The pages of a key's sub-keys, and their revocation with it.
create index keys_of_parent on keys (parent_id, id);

-- Hashes of secrets that keys had before they were rotated or deleted, so that no setting can bring one back. Never changed.
create table retired_keys (
  hash text primary key,
  retired_at bigint not null
);

-- Browsers that are signed in. A session stands for the key that opened it, by that key's hash: it ends when the key is
-- rotated, revoked or expires, at sign-out, or when its owner ends it.
create table sessions (
  hash text primary key,
  key_hash text not null,
  -- Where it was opened, so that the owner of a key can tell its sessions apart.
  address text not null,
  user_agent text,
  created_at bigint not null,
  last_used_at bigint not null,
  expires_at bigint not null check (expires_at > created_at)
);

-- Expired sessions, which the next sign-in deletes.
create index sessions_by_expiry on sessions (expires_at);

-- The sessions of a key, newest first.
create index sessions_of_key on sessions (key_hash, created_at);

-- Every change of a balance, forever: the sum of an account's entries is its balance. Only inserted.
create table ledger (
  id text primary key,
  account_id text not null references accounts (id),
  key_id text,
  -- The task or inference request; no reference, because the ledger outlives both. Null for grants.
  subject text,
  kind text not null check (kind in ('grant', 'hold', 'settle', 'release', 'charge')),
  amount bigint not null,
  balance_after bigint not null check (balance_after >= 0),
  created_at bigint not null,
  -- Also finds the entries of a task.
  unique (subject, kind),
  check ((kind = 'grant') = (subject is null)),
  check ((kind = 'hold' and amount <= 0) or (kind = 'settle' and amount = 0) or (kind = 'release' and amount >= 0)
    or (kind = 'charge' and amount <= 0) or kind = 'grant')
);

-- A hold ends once: settled or released, never both.
create unique index ledger_one_end on ledger (subject) where kind in ('settle', 'release');

-- The pages of an account's ledger, newest first.
create index ledger_by_account on ledger (account_id, id);

create function ledger_append_only() returns trigger language plpgsql as $$
begin
  raise exception 'the ledger is append-only';
end
$$;

create trigger ledger_append_only before update or delete on ledger
for each row execute function ledger_append_only();

-- Switches that are thrown, by operators: `maintenance`, `feature:<name>` for a feature that is off, a paused queue.
create table switches (
  name text primary key,
  changed_at bigint not null
);

-- limits/

-- The time that keys and accounts have had computed without paying for it: uploads, and tasks that failed.
create table free_work (
  -- The id of a key or of an account.
  owner text primary key,
  used_ms double precision not null check (used_ms >= 0),
  -- When `used_ms` was counted; it shrinks from then on.
  counted_at bigint not null
);

-- How often something happened lately under a name, such as the requests of a key, for limits that several servers share.
-- Only used where they share the database.
create table window_counts (
  name text primary key,
  -- JSON: times with their counts, and what a server took ahead until a time.
  counts text not null,
  -- All of them have expired then.
  until_ms bigint not null
);

-- Expired counts, which are deleted.
create index window_counts_by_end on window_counts (until_ms);

-- audit/

-- Who did what, from where. Inserted with the act, never changed, and deleted only once it has expired.
create table audit (
  id text primary key,
  actor text not null,
  address text,
  action text not null,
  target text,
  -- JSON objects.
  facts_before text,
  facts_after text,
  created_at bigint not null
);

-- The pages of the entries of one actor, or of one action.
create index audit_by_actor on audit (actor, id);

create index audit_by_action on audit (action, id);

-- One row. Entries from before this time may be deleted.
create table audit_retention (
  expired_before bigint not null
);

insert into audit_retention (expired_before) values (0);

create function audit_append_only() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and old.created_at < (select max(expired_before) from audit_retention) then
    return old;
  end if;
  raise exception 'the audit log is append-only';
end
$$;

create trigger audit_append_only before update or delete on audit
for each row execute function audit_append_only();

-- queue/

-- Entries of the queue. Inserted with what they are about, claimed by workers, and deleted in the transaction that stores the
-- outcome. A worker without heartbeats loses its jobs to the first process that notices.
create table jobs (
  -- What the job is about: the id of a task, a delivery or an inference request, which has at most one job.
  subject text primary key,
  queue text not null,
  -- Whom it is for, so that a worker can bound the share of one group, and of an owner of many groups.
  group_name text not null,
  owner text not null default '',
  -- Lower numbers are served first.
  serving_order double precision not null,
  run_at bigint not null,
  -- Claims so far, counted over all jobs of the subject.
  attempt integer not null default 0,
  -- Claims whose handler threw.
  failures integer not null default 0,
  -- Claims that ended because the process crashed or hung, in a row.
  crashes integer not null default 0,
  -- Who runs it; null while it waits.
  worker text,
  -- The claim it runs by: nothing can be settled with an older one. Counting claims is not enough to tell them apart, because a
  -- claim is not waited for on the disk, and a database that crashes may forget one and count the next by the same number.
  claim text,
  created_at bigint not null,
  check ((worker is null) = (claim is null))
) with (fillfactor = 40, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000,
  autovacuum_vacuum_cost_delay = 0, autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 50000);

-- Claims: the waiting jobs of a queue in serving order.
create index jobs_waiting on jobs (queue, serving_order, subject) where worker is null;

-- When the next job of a queue is due that waits for a time.
create index jobs_delayed on jobs (queue, run_at) where worker is null and run_at > created_at;

-- The jobs that a worker runs.
create index jobs_of_worker on jobs (worker) where worker is not null;

-- Processes that work on queues, from their start to their end. Each writes its row every few seconds, and holds its jobs as
-- long as it does: they are taken back once `alive_until` has passed.
create table workers (
  id text primary key,
  -- Host and process.
  name text not null,
  -- Role and release, as JSON.
  about text not null,
  -- Queues, slots and running jobs, as JSON.
  lanes text not null,
  seen_at bigint not null,
  alive_until bigint not null
);

-- admission/

-- Idempotency keys that clients sent, and what they created. Inserted with it, deleted after a day or when it was given up.
create table idempotency (
  -- A hash of key, route and the client's own idempotency key.
  id text primary key,
  body_hash text not null,
  -- The task or inference request.
  subject text not null,
  created_at bigint not null
);

-- Expired rows, which are deleted.
create index idempotency_by_age on idempotency (created_at);

-- The keys of a task or request that was given up.
create index idempotency_by_subject on idempotency (subject);

-- storage/

-- Files handed out or kept: videos, thumbnails, uploads and fetched inputs. The row is written before the bytes, and the
-- bytes are deleted before the row, so that no bytes are ever without an owner and an end. No reference to the account: a
-- worker that reserves a file would wait for the creations of the account, which hold its row.
create table files (
  -- The unguessable part of the URL.
  token text primary key,
  account_id text not null,
  task_id text,
  purpose text not null check (purpose in ('input', 'video', 'thumbnail', 'frame', 'upload')),
  storage_key text not null,
  name text not null,
  mime text not null,
  bytes bigint not null check (bytes >= 0),
  created_at bigint not null,
  expires_at bigint not null
);

-- Expired files, which the sweeper deletes.
create index files_by_expiry on files (expires_at);

-- The files of a task, which expire with its end or its record.
create index files_by_task on files (task_id) where task_id is not null;

-- The uploads of an account: their list and their quota.
create index files_by_account on files (account_id) where purpose = 'upload';

-- tasks/

-- One creation and its life: wait → queueing → generating → success, or fail from each of these (tasks/store/moves.ts says
-- who moves it). Inserted by admission, deleted by its owner or when its record expires.
-- PostgreSQL logs a changed row from its first changed byte to its last: what changes stands together, behind what never does
-- and before the request.
create table tasks (
  id text primary key,
  account_id text not null references accounts (id),
  key_id text not null,
  -- The task that this one extends.
  parent_id text,
  model text not null,
  -- Created by createTask or through the inference endpoint; decides the form of its callback.
  via text not null check (via in ('task', 'inference')),
  price bigint not null check (price >= 0),
  virtual_start double precision not null,
  virtual_finish double precision not null,
  callback_url text,
  -- The fields of the body that were ignored, as JSON.
  ignored_fields text not null,
  -- The W3C trace context that its spans belong to. Null when tracing is off.
  traceparent text,
  created_at bigint not null,
  engine text not null,
  state text not null check (state in ('wait', 'queueing', 'generating', 'success', 'fail')),
  -- When it entered its state.
  state_at bigint not null,
  updated_at bigint not null,
  -- When its input files were stored.
  queued_at bigint,
  completed_at bigint,
  -- When its video expires.
  expires_at bigint,
  progress integer not null check (progress between 0 and 100),
  -- The number of the current or last attempt; 0 before the first. A late result of an earlier one is dropped by it.
  attempt integer not null check (attempt >= 0),
  fail_code text,
  fail_reason text,
  fail_msg text,
  -- How the engine's work is found again, as JSON.
  handle text,
  -- The files of the video, what an engine read from the prompt, and what was delivered, each as JSON.
  video text,
  understood text,
  delivered text,
  -- What an engine is asked to make, as JSON; only while the task needs it.
  plan text,
  -- The accepted body, and the request that it was read as (VideoRequest), both as JSON.
  param text not null,
  request text not null,
  -- The prompts in lower case. Null where they are too long for an index: there the search reads the request.
  search_text text,
  check ((state = 'fail') = (fail_code is not null)),
  check ((fail_code is null) = (fail_reason is null)),
  check ((state = 'success') = (video is not null)),
  check ((state = 'success') = (expires_at is not null)),
  check ((state in ('success', 'fail')) = (completed_at is not null))
) with (fillfactor = 40, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 20000,
  autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 50000);

-- The pages of an account's tasks, newest first. Searches read prompts from it instead of thousands of scattered tasks.
create index tasks_by_account on tasks (account_id, id, model) include (search_text);

-- The same for the tasks of one key.
create index tasks_by_key on tasks (key_id, id);

-- Lists of an account's open tasks, and of its failed ones, which are few among many that succeeded.
create index tasks_unfinished on tasks (account_id, id) where completed_at is null;

create index tasks_failed on tasks (account_id, id) where fail_code is not null;

-- Open tasks in fair order: the first one that waits, for the virtual time of an admission.
create index tasks_open on tasks (virtual_finish) where completed_at is null;

-- Tasks by their end: old records to delete, recent ones for estimates and gauges.
create index tasks_completed on tasks (completed_at) where completed_at is not null;

-- Each run of a task on an engine: retries, fallbacks and the timeline follow from these. Begun with the claim, ended by the
-- worker, or by the process that takes back its job. Deleted with the task by tasks/store, without a reference that every
-- insert would have to check.
create table task_attempts (
  task_id text not null,
  -- The claim of the job that began it, counted over all of the task's jobs.
  number integer not null check (number > 0),
  engine text not null,
  -- Host and process.
  worker text not null,
  -- The job's claim.
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
) with (fillfactor = 55, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 50000);

-- The attempts of the last day, for the history of engines.
create index task_attempts_by_start on task_attempts (started_at);

-- Each failure that a waiting task survived: its input files are fetched or opened again at `retry_at`. Inserted by the worker
-- that failed, deleted with the task by tasks/store.
create table input_retries (
  task_id text not null,
  number integer not null check (number > 0),
  failed_at bigint not null,
  -- Host and process.
  worker text not null,
  -- What failed: the fetch, or the process that opened a file.
  fault text not null check (fault in ('fetch', 'child')),
  -- For people.
  reason text not null,
  retry_at bigint not null,
  primary key (task_id, number)
);

-- Links that show the video of a task to anyone who has them. Made and ended by the owner of the task.
create table task_shares (
  id text primary key,
  -- SHA-256 of the token.
  hash text not null unique,
  task_id text not null references tasks (id) on delete cascade,
  created_at bigint not null,
  expires_at bigint not null check (expires_at > created_at)
);

-- The links of a task.
create index task_shares_by_task on task_shares (task_id, id);

-- inference/

-- Inference requests that are not video tasks. Inserted by admission, ended by the worker that has their job.
create table inference_requests (
  id text primary key,
  account_id text not null references accounts (id),
  key_id text not null,
  model text not null,
  -- The accepted body, as JSON.
  param text not null,
  callback_url text,
  state text not null check (state in ('queued', 'succeeded', 'failed')),
  -- Credits set aside for it while it is queued.
  estimate bigint not null check (estimate >= 0),
  results text,
  runtime_ms bigint not null default 0 check (runtime_ms >= 0),
  cost_usd double precision not null default 0 check (cost_usd >= 0),
  fail_reason text,
  created_at bigint not null,
  ended_at bigint,
  check ((state = 'succeeded') = (results is not null)),
  check ((state = 'failed') = (fail_reason is not null)),
  check ((state = 'queued') = (ended_at is null)),
  check (state = 'succeeded' or (runtime_ms = 0 and cost_usd = 0))
);

-- What is set aside for the open requests of an account and its keys.
create index inference_requests_open on inference_requests (account_id, key_id) where state = 'queued';

-- Old requests, which are deleted.
create index inference_requests_ended on inference_requests (ended_at) where ended_at is not null;

-- webhooks/

-- Callbacks: what is to be delivered where. Inserted with the end of a task or request, moved by the worker that has the job;
-- its owner may have it sent again.
create table deliveries (
  -- Sent as `webhook-id`, the same over all attempts.
  id text primary key,
  account_id text not null references accounts (id),
  -- The key that the task or request was created with; its secret signs.
  key_id text not null,
  kind text not null check (kind in ('task', 'inference')),
  -- 1 for an event that its owner sent to test a receiver.
  is_test integer not null check (is_test in (0, 1)),
  -- The task or inference request that has ended; no reference, because a delivery outlives both.
  subject text not null unique,
  callback_url text not null,
  -- Of the URL: the receiver.
  origin text not null,
  -- As it is sent, so that all attempts send the same.
  body text not null,
  created_at bigint not null,
  state text not null check (state in ('pending', 'delivered', 'failed')),
  -- Of the present round; sending a delivery again begins a new one.
  attempts integer not null check (attempts >= 0),
  round_at bigint not null,
  -- How often a client has had it sent again.
  resends integer not null check (resends >= 0),
  serving_order double precision not null,
  next_at bigint,
  ended_at bigint,
  check ((state = 'pending') = (ended_at is null)),
  check ((state = 'pending') = (next_at is not null))
) with (fillfactor = 85, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 20000);

-- The pages of an account's callbacks, newest first.
create index deliveries_by_account on deliveries (account_id, id);

-- Lists of the callbacks that did not arrive, or not yet, which are few among many that did.
create index deliveries_undelivered on deliveries (account_id, id) where state <> 'delivered';

-- What was sent in the last moments, for listeners on the command line.
create index deliveries_by_round on deliveries (account_id, round_at);

-- The last pending callback to a receiver, behind which a new one is ordered, and the count of an account's pending ones.
create index deliveries_pending on deliveries (account_id, origin, serving_order) where state = 'pending';

-- Old callbacks, which are deleted.
create index deliveries_ended on deliveries (ended_at) where ended_at is not null;

-- Each attempt at a callback, inserted when it has ended.
create table delivery_attempts (
  id text primary key,
  delivery_id text not null references deliveries (id) on delete cascade,
  started_at bigint not null,
  duration_ms bigint not null check (duration_ms >= 0),
  -- Null when there was no response; `error` then says why.
  status integer,
  error text,
  -- JSON objects; null where nothing is known to be sent, or nothing was received.
  request_headers text,
  response_headers text,
  -- The first kilobyte of the response.
  response text
);

-- The attempts at a callback in order.
create index delivery_attempts_by_delivery on delivery_attempts (delivery_id, id);

-- db/

-- What /readyz writes to learn whether the database accepts writes. Nothing reads the rows.
create table write_probe (
  id integer primary key,
  written_at bigint not null,
  filler text not null
);

insert into write_probe (id, written_at, filler) values (1, 0, '');
