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

create trigger audit_no_update before update on audit begin
  select raise(abort, 'the audit log is append-only');
end;

create trigger audit_no_delete before delete on audit
when old.created_at >= (select max(expired_before) from audit_retention) begin
  select raise(abort, 'the audit log is append-only');
end;
