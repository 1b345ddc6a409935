-- runs_from: 0025
-- What a key may do, from where, when it was used, and the secret that it had before.

-- Separated by commas. Null: whatever the key's kind may do.
alter table keys add column scopes text;

-- Networks in CIDR notation, separated by commas. Null: every address.
alter table keys add column addresses text;

-- Written at most once a minute.
alter table keys add column last_used_at bigint;

-- The secret before the last rotation is accepted until then.
alter table keys add column old_hash text;

alter table keys add column old_hash_until bigint;

create unique index keys_by_old_hash on keys (old_hash);
