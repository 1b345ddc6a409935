// bench/package.json installs these, and `npm ci` in the root does not: the root's type check knows them only by name.
declare module 'bullmq'
declare module 'ioredis'
declare module 'pg-boss'
