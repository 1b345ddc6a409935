-- runs_from: 0060
-- Accounts are never deleted, and the transactions that create and end tasks lock the account's row anyway. A check of it
-- for each task and each entry cost PostgreSQL a twelfth of its time for a task.
alter table ledger drop constraint ledger_account_id_fkey;

alter table tasks drop constraint tasks_account_id_fkey;
