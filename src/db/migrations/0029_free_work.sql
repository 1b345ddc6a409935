-- The time that keys and accounts have had computed without paying for it: uploads, and tasks that failed.
-- runs_from: 0025

create table free_work (
  -- The id of a key or of an account.
  owner text primary key,
  used_ms double precision not null check (used_ms >= 0),
  -- When `used_ms` was counted; it shrinks from then on.
  counted_at bigint not null
);
