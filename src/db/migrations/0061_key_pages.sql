-- runs_from: 0025
-- Lists of keys are read page by page, in the order of their ids.

create index keys_of_account on keys (account_id, id);

create index keys_of_parent on keys (parent_id, id);

drop index keys_by_account;

drop index keys_by_parent;
