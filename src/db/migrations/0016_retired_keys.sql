-- Hashes of secrets that keys had before they were rotated, so that no setting can bring one back.

create table retired_keys (
  hash text primary key,
  retired_at bigint not null
);
