// The write-ahead log between two places in it, by table or index and kind of record.
import type { Db } from '../../src/db/db.ts'

export interface WalPart {
  /** Table or index, and kind of record. */
  name: string
  records: number
  bytes: number
}

export const walPosition = async (db: Db) =>
  (await db.one<{ at: string }>('select pg_current_wal_insert_lsn()::text as at'))!.at

export async function walBytesBetween(db: Db, from: string, to: string): Promise<number> {
  return (await db.one<{ bytes: number }>('select ?::pg_lsn - ?::pg_lsn as bytes', [to, from]))!.bytes
}

/** Largest first. Needs a superuser and the extension, which PostgreSQL's own packages include. */
export async function walParts(db: Db, from: string, to: string): Promise<WalPart[]> {
  await db.run('create extension if not exists pg_walinspect')
  return db.all<WalPart>(
    `select coalesce(relation.relname, '') || ' ' || record.resource_manager || ' ' || record.record_type as name,
       count(*) as records, sum(record.record_length)::float8 as bytes
     from pg_get_wal_records_info(?, ?) as record
     left join pg_get_wal_block_info(?, ?, false) as block on block.start_lsn = record.start_lsn and block.block_id = 0
     left join pg_class as relation on pg_relation_filenode(relation.oid) = block.relfilenode
     group by 1 order by bytes desc`,
    [from, to, from, to],
  )
}
