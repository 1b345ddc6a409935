-- Who did what, from where. Entries are never changed, and deleted only once they have expired.
-- runs_from: 0025

create table audit (
  id text primary key,
  actor text not null,
  address text,
  action text not null,
  target text,
  -- JSON objects.
  facts_before text,
  facts_after text,
  created_at bigint not null
);

create index audit_by_actor on audit (actor, id);

create index audit_by_action on audit (action, id);

-- One row. Entries from before this time may be deleted.
create table audit_retention (
  expired_before bigint not null
);

insert into audit_retention (expired_before) values (0);

create function audit_append_only() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and old.created_at < (select max(expired_before) from audit_retention) then
    return old;
  end if;
  raise exception 'the audit log is append-only';
end
$$;

create trigger audit_append_only before update or delete on audit
for each row execute function audit_append_only();
