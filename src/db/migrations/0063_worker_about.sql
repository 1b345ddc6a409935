-- runs_from: 0025
-- What a process in the list of workers is: its role and release, as JSON. Null in rows of earlier releases.

alter table workers add column about text;
