// Process of the npm package that checks PDFs.
import './old-node.ts'
import '@clearway/engine/pdf/process.ts'
