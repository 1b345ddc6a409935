// Files besides TypeScript that the build can import.
declare module '*.css'
