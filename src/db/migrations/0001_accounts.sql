-- Accounts, their keys and the credit ledger. Times are epoch milliseconds; booleans are 0 and 1.

create table accounts (
  id text primary key,
  name text not null unique,
  -- The sum of the account's ledger entries, kept here so that admission can guard it with a CHECK.
  balance bigint not null default 0 check (balance >= 0),
  -- Tasks that have not ended.
  open_tasks bigint not null default 0 check (open_tasks >= 0),
  -- Virtual finish time of the account's last admitted task (fair order).
  virtual_finish double precision not null default 0,
  webhook_secret text not null,
  webhook_secret_old text,
  webhook_secret_old_until bigint,
  created_at bigint not null
);

create index accounts_by_virtual_finish on accounts (virtual_finish);

create table keys (
  id text primary key,
  account_id text not null references accounts (id),
  parent_id text references keys (id),
  name text not null,
  hash text not null unique,
  -- The first characters, so that a person can tell keys apart.
  hint text not null,
  operator integer not null default 0 check (operator in (0, 1)),
  rate text,
  credit_limit bigint check (credit_limit >= 0),
  credit_used bigint not null default 0 check (credit_used >= 0),
  request_limit bigint check (request_limit >= 0),
  request_per text check (request_per in ('hour', 'day', 'total')),
  request_window bigint not null default 0,
  request_used bigint not null default 0,
  created_at bigint not null,
  expires_at bigint,
  revoked_at bigint,
  check (operator = 0 or parent_id is null),
  check (credit_limit is null or credit_used <= credit_limit),
  check ((request_limit is null) = (request_per is null)),
  check (request_limit is null or request_used <= request_limit)
);

create index keys_by_account on keys (account_id);

create index keys_by_parent on keys (parent_id);

create table ledger (
  id text primary key,
  account_id text not null references accounts (id),
  key_id text,
  -- The task or inference request; no reference, because the ledger outlives both.
  task_id text,
  kind text not null check (kind in ('grant', 'hold', 'settle', 'release', 'charge')),
  amount bigint not null,
  balance_after bigint not null check (balance_after >= 0),
  created_at bigint not null,
  unique (task_id, kind),
  check ((kind = 'hold' and amount <= 0) or (kind = 'settle' and amount = 0) or (kind = 'release' and amount >= 0)
    or (kind = 'charge' and amount <= 0) or kind = 'grant')
);

-- A hold ends once: settled or released, never both.
create unique index ledger_one_end on ledger (task_id) where kind in ('settle', 'release');

create index ledger_by_account on ledger (account_id, id);

-- A row is a switch that is thrown: `maintenance`, or `feature:<name>` for a feature that is off.
create table switches (
  name text primary key,
  changed_at bigint not null
);
