-- Of each key's rate, the share that each process may serve by itself. Only used where several processes share the
-- database; the unexpired shares of a key never add up to more than its rate.

create table rate_leases (
  key_id text not null,
  process_id text not null,
  share bigint not null check (share >= 0),
  -- Counts until then. Its process stops using it a window earlier, so that nothing it let through counts any more.
  until_ms bigint not null,
  primary key (key_id, process_id)
);

create index rate_leases_by_end on rate_leases (until_ms);
