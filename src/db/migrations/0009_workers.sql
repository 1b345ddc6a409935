-- Processes that work on queues, as each says every few seconds; only for people to look at.

create table workers (
  -- Host and process.
  id text primary key,
  -- Queues, slots and running jobs, as JSON.
  lanes text not null,
  seen_at bigint not null
);
