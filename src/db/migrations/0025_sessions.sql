-- Browsers that are signed in. A session stands for the key that opened it, by that key's hash: it ends when the key is
-- rotated, revoked or expires.
create table sessions (
  hash text primary key,
  key_hash text not null,
  created_at bigint not null,
  expires_at bigint not null check (expires_at > created_at)
);

create index sessions_by_expiry on sessions (expires_at);
