create function ledger_append_only() returns trigger language plpgsql as $$
begin
  raise exception 'the ledger is append-only';
end
$$;

create trigger ledger_append_only before update or delete on ledger
for each row execute function ledger_append_only();
