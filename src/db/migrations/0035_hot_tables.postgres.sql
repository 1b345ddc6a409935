-- runs_from: 0025
-- Room in the pages for changed rows, so that they stay where they are and no index is written (HOT); and vacuuming by
-- a number of changes instead of a share of the table, which is large (tasks) or nearly empty (jobs).

alter table tasks set (fillfactor = 75, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 20000,
  autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 50000);

alter table jobs set (fillfactor = 70, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000,
  autovacuum_vacuum_cost_delay = 0, autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 50000);

alter table task_attempts set (fillfactor = 85, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 50000);

alter table deliveries set (fillfactor = 85, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 20000);

alter table accounts set (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);

alter table keys set (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);

-- Accounts are never deleted. A worker that reserves a file would wait here for the creations of the file's account,
-- which hold the account's row.
alter table files drop constraint files_account_id_fkey;
