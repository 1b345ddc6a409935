-- runs_from: 0025
-- Signing secrets of keys, so that callbacks of a sub-key are not signed with the account's. Null: the secret is derived
-- for a sub-key, and the account's for a main key.
alter table keys add column webhook_secret text;

alter table keys add column webhook_secret_old text;

alter table keys add column webhook_secret_old_until bigint;

-- The key whose callback it is. Null: the row was written by an earlier release.
alter table deliveries add column key_id text;

-- How often a client has asked to send it again.
alter table deliveries add column resends integer not null default 0;
