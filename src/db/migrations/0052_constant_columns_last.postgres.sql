-- runs_from: 0025
-- PostgreSQL logs a changed row from its first changed byte to its last. A task's state stands near the beginning and
-- its times near the end, so every move logged the whole request between them. In a database without tasks, the columns
-- that stay the same go to the end; reordering them in a full one would copy it.

do $$
begin
  lock table tasks;
  if not exists (select 1 from tasks) then
    alter table tasks drop column plan, drop column param, drop column video_order;
    alter table tasks add column plan text, add column param text not null, add column video_order text not null;
  end if;
end $$;
