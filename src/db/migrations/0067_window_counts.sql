-- runs_from: 0025
-- How often something happened lately under a name, such as the requests of a key, for limits that several servers share.
-- Only used where they share the database.

create table window_counts (
  name text primary key,
  -- JSON: times with their counts, and tickets that a server holds until a time.
  counts text not null,
  -- All have expired then.
  until_ms bigint not null
);

create index window_counts_by_end on window_counts (until_ms);
