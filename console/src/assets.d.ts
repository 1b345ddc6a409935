// Files besides TypeScript that the build can import.
declare module '*.css'
declare module '*.jpg' {
  const url: string
  export default url
}
