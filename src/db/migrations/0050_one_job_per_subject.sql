-- runs_from: 0025
-- A job's id is its subject, so that one index finds it by both, and only jobs of earlier programs need another one.
-- Earlier programs find a job by its subject without an index: canceling is slower while very many jobs wait.

drop index jobs_by_subject;

create index jobs_by_subject on jobs (subject) where id <> subject;
