// What the build understands besides TypeScript.
declare module '*.css'
