create trigger ledger_no_update before update on ledger begin
  select raise(abort, 'the ledger is append-only');
end;

create trigger ledger_no_delete before delete on ledger begin
  select raise(abort, 'the ledger is append-only');
end;
