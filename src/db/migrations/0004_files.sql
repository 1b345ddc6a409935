-- Files handed out or kept: videos, thumbnails, uploads and fetched inputs. The row is written before the bytes, and
-- the bytes are deleted before the row, so that no bytes are ever without an owner and an end.

create table files (
  -- The unguessable part of the URL.
  token text primary key,
  account_id text not null references accounts (id),
  task_id text,
  purpose text not null check (purpose in ('input', 'video', 'thumbnail', 'frame', 'upload')),
  storage_key text not null,
  name text not null,
  mime text not null,
  bytes bigint not null check (bytes >= 0),
  created_at bigint not null,
  expires_at bigint not null
);

create index files_by_expiry on files (expires_at);

create index files_by_task on files (task_id) where task_id is not null;

create index files_by_account on files (account_id) where purpose = 'upload';
