-- What /readyz writes to learn whether the database accepts writes. Nothing reads the rows.
create table write_probe (
  id integer primary key,
  at bigint not null,
  filler text not null
);

insert into write_probe (id, at, filler) values (1, 0, '');
