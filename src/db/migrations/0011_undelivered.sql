-- Lists of an account's callbacks that did not arrive, or not yet, which are few among many that did.

create index deliveries_undelivered on deliveries (account_id, id) where state <> 'delivered';
