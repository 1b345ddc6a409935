-- runs_from: 0025
-- Claims of a job that ended because the process crashed or hung, in a row: counted apart from claims that failed.

alter table jobs add column crashes integer not null default 0;
