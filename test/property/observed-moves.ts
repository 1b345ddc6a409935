// A log of every move of every task, kept by a trigger in the database itself: the service's own timeline is read from
// other rows and could hide a move that must not happen.
import type { Db } from '../../src/db/db.ts'
import type { State } from './model.ts'

export async function observeMoves(db: Db): Promise<void> {
  for (const statement of statements[db.dialect]) await db.run(statement)
}

export function observedMoves(db: Db): Promise<{ task_id: string; state: State }[]> {
  return db.all('select task_id, state from observed_moves order by seq')
}

const statements = {
  sqlite: [
    `create table if not exists observed_moves (seq integer primary key autoincrement, task_id text, state text)`,
    `create trigger if not exists observe_moves after update of state on tasks when old.state <> new.state
     begin insert into observed_moves (task_id, state) values (new.id, new.state); end`,
  ],
  postgres: [
    'create table if not exists observed_moves (seq bigserial primary key, task_id text, state text)',
    `create or replace function observe_moves() returns trigger language plpgsql as $$
     begin
       insert into observed_moves (task_id, state) values (new.id, new.state);
       return null;
     end $$`,
    `create or replace trigger observe_moves after update on tasks for each row
     when (old.state <> new.state) execute function observe_moves()`,
  ],
}
