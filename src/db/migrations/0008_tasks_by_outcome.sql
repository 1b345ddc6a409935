-- Lists of an account's open tasks and of its failed ones, which are few among many that went well. The model joins the
-- index of all its tasks, where it can be looked at without reading the task; it never changes, so this costs no move.

create index tasks_unfinished on tasks (account_id, id) where completed_at is null;

create index tasks_failed on tasks (account_id, id) where fail_code is not null;

drop index tasks_by_account;

create index tasks_by_account on tasks (account_id, id, model);
