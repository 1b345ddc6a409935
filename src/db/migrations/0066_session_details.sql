-- runs_from: 0025
-- Where each session was opened and when it was last used, so that the owner of a key can tell its sessions apart. Null: it
-- was opened by an earlier release.
alter table sessions add column address text;

alter table sessions add column user_agent text;

alter table sessions add column last_used_at bigint;

create index sessions_of_key on sessions (key_hash, created_at);
