#!/usr/bin/env node
// Command of the npm package.
const [major, minor] = process.versions.node.split('.').map(Number)
if (major < 20 || (major === 20 && minor < 17)) {
  console.error(`clearway needs Node 20.17 or newer; this is ${process.versions.node}.`)
  process.exit(2)
}
await import(new URL('../dist/main.js', import.meta.url).href)
