-- Callbacks: what is to be delivered where, and every try at it.

create table deliveries (
  -- Sent as `webhook-id`, the same over all tries.
  id text primary key,
  account_id text not null references accounts (id),
  kind text not null check (kind in ('task', 'inference')),
  -- The task or inference request whose end is told; no reference, because a delivery outlives both.
  subject text not null unique,
  url text not null,
  origin text not null,
  -- As it is sent, so that all tries say the same.
  body text not null,
  state text not null check (state in ('pending', 'delivered', 'failed')),
  -- Of the present round; asking for a delivery again begins a new one.
  tries integer not null default 0,
  round_at bigint not null,
  order_no double precision not null,
  next_at bigint,
  created_at bigint not null,
  ended_at bigint,
  check ((state = 'pending') = (ended_at is null)),
  check ((state = 'pending') = (next_at is not null))
);

create index deliveries_by_account on deliveries (account_id, id);

create index deliveries_by_round on deliveries (account_id, round_at);

create index deliveries_pending on deliveries (account_id, origin, order_no) where state = 'pending';

create index deliveries_ended on deliveries (ended_at) where ended_at is not null;

create table delivery_attempts (
  id text primary key,
  delivery_id text not null references deliveries (id) on delete cascade,
  at bigint not null,
  duration_ms bigint not null,
  -- Null when no answer came; `error` then says why.
  status integer,
  error text,
  -- The first kilobyte of what the receiver said.
  answer text
);

create index delivery_attempts_by_delivery on delivery_attempts (delivery_id, id);

-- Whom a job belongs to as a whole, beside its group: an account with many receivers is bounded too.
alter table jobs add column owner text not null default '';
