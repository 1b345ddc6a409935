-- runs_from: 0025
-- Accounts are never deleted, and the transactions that create and end tasks lock the account's row anyway. Checking it
-- again for each task and each entry took PostgreSQL about 65 µs per task.
alter table ledger drop constraint ledger_account_id_fkey;

alter table tasks drop constraint tasks_account_id_fkey;
