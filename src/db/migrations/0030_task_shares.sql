-- runs_from: 0025
-- Links that show the video of a task to anyone who has them. Only a hash of the token is stored. Links are deleted with
-- their task.
create table task_shares (
  id text primary key,
  hash text not null unique,
  task_id text not null references tasks (id) on delete cascade,
  created_at bigint not null,
  expires_at bigint not null check (expires_at > created_at)
);

create index task_shares_by_task on task_shares (task_id, id);
