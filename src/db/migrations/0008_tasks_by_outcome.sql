-- Lists of an account's open tasks and of its failed ones, which are few among many that went well.

create index tasks_unfinished on tasks (account_id, id) where completed_at is null;

create index tasks_failed on tasks (account_id, id) where fail_code is not null;
