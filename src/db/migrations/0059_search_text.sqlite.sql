-- runs_from: 0025
-- The prompt in lower case, in the index that finds the tasks of an account: a search reads the index instead of
-- thousands of tasks that lie scattered over the table. Null in rows of earlier programs and where the prompt is too long
-- for an index of PostgreSQL: there the search reads the task.
alter table tasks add column search_text text;

drop index tasks_by_account;

create index tasks_by_account on tasks (account_id, id, model, search_text);

create index task_attempts_by_start on task_attempts (started_at);
