-- runs_from: 0025
-- What was sent and received with each attempt at a callback, as JSON objects; null for attempts before this schema and
-- where there was no response.
alter table delivery_attempts add column request_headers text;

alter table delivery_attempts add column answer_headers text;

-- 1 for an event that its owner sent to try a receiver.
alter table deliveries add column is_test integer not null default 0;
