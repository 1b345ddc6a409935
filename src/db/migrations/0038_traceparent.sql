-- runs_from: 0025
-- The W3C trace context that the spans of a task belong to. Null when tracing is off.
alter table tasks add column traceparent text;
