-- runs_from: 0025
-- The prompt in lower case, in the index that finds the tasks of an account (see the next migration): a search reads the
-- index instead of thousands of tasks that lie scattered over the table. Null in rows of earlier programs and where the
-- prompt is too long for an index: there the search reads the task.
alter table tasks add column search_text text;
