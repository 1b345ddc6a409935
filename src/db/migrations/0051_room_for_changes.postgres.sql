-- runs_from: 0025
-- More room for changed rows in their own page: a task's row grows by half while it runs, and all tasks of a page change
-- in the same transaction. A row that has to leave its page is written again in every index.

alter table tasks set (fillfactor = 40);

alter table task_attempts set (fillfactor = 55);

alter table jobs set (fillfactor = 40);
